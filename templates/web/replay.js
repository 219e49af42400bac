/* A game step by step: arrow keys and swipes follow the links of the page, the slider its form.  Without this script the links and the button do. */
(() => {
  "use strict";
  const slide = document.getElementById("slide");
  const still = "input, textarea, select, .hand, .wide"; /* where keys and fingers have something else to do */
  slide.form.querySelector("button").remove();
  /* the next step stands where this one was scrolled to */
  const kept = sessionStorage.getItem("at");
  if (kept) scrollTo({ top: kept, behavior: "instant" });
  sessionStorage.removeItem("at");
  const follow = (keys) => {
    const link = document.querySelector(`a[aria-keyshortcuts="${keys}"]`);
    if (link) { sessionStorage.setItem("at", scrollY); link.click(); }
    return link;
  };
  addEventListener("keydown", (event) => {
    if (/^Arrow(Left|Right)$/.test(event.key) && !(event.ctrlKey || event.altKey || event.metaKey || event.target.closest(still))
      && follow((event.shiftKey ? "Shift+" : "") + event.key)) event.preventDefault();
  });
  let from;
  addEventListener("touchstart", (event) => { from = event.touches.length > 1 || event.target.closest(still) ? null : event.touches[0]; }, { passive: true });
  addEventListener("touchend", (event) => {
    const x = from ? event.changedTouches[0].clientX - from.clientX : 0;
    if (Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(event.changedTouches[0].clientY - from.clientY)) follow(x < 0 ? "ArrowRight" : "ArrowLeft");
    from = null;
  }, { passive: true });
  slide.addEventListener("input", () => { slide.form.querySelector("output").textContent = slide.value; });
  slide.addEventListener("change", () => { location.assign(slide.dataset.to + slide.value); });
})();
