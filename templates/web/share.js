/* A button beside an address puts it where it can be pasted from. Without this script the address can be marked and copied. */
(() => {
  "use strict";
  if (!navigator.clipboard) return;
  const show = () => { for (const one of document.querySelectorAll("[data-copy]")) one.hidden = false; };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const box = document.getElementById(button.dataset.copy);
    try { await navigator.clipboard.writeText(box.value); } catch { box.select(); return; }
    const said = button.closest(".copied").querySelector("[data-copied]");
    button.textContent = said.dataset.copied;
    said.textContent = said.dataset.copied;
  });
  show();
  const main = document.getElementById("main");
  new MutationObserver(show).observe(main, { childList: true });
})();
