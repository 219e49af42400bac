/* A page that is open asks for itself again when its table has changed, and puts the new main part in the place of the old one.
   What was being typed stays, and so does the focus.  Without this script everything works by reloading. */
(() => {
  "use strict";
  const main = document.querySelector("[data-live]");
  if (!main || !main.dataset.live || !window.EventSource) return;
  const spoken = document.createElement("p");
  spoken.className = "unseen";
  spoken.setAttribute("role", "status");
  main.after(spoken);

  const typed = (root) => root.querySelectorAll("textarea[id], input[id]");

  const put = (fresh) => {
    const kept = new Map([...typed(main)].map((box) => [box.id, box.value]));
    const open = new Map([...main.querySelectorAll("details[id]")].map((one) => [one.id, one.open]));
    const at = document.activeElement;
    const id = main.contains(at) ? at.id : "";
    const place = id && typeof at.selectionStart === "number" ? [at.selectionStart, at.selectionEnd] : null;
    if (fresh.dataset.live) main.dataset.live = fresh.dataset.live;
    main.replaceChildren(...fresh.childNodes);
    for (const one of main.querySelectorAll("details[id]")) if (open.has(one.id)) one.open = open.get(one.id);
    for (const box of typed(main)) if (kept.has(box.id)) box.value = kept.get(box.id);
    const again = id && document.getElementById(id);
    if (again) {
      again.focus({ preventScroll: true });
      if (place) again.setSelectionRange(...place);
    } else if (at && at !== document.body && !document.contains(at)) {
      main.focus({ preventScroll: true });
    }
    spoken.textContent = "";
    const says = main.querySelector("[data-changed]");
    if (says) spoken.textContent = says.dataset.changed;
  };

  /* what a tab that is not looked at shows of us: its title and its icon */
  const icon = document.querySelector("link[rel=icon]");
  const mark = (page) => {
    document.title = page.title;
    const next = page.querySelector("link[rel=icon]");
    if (icon && next && icon.href !== next.href) icon.href = next.href;
  };

  /* a part that moves by itself waits for somebody who reads in it */
  const rests = () => "rests" in main.dataset && (main.contains(document.activeElement) || main.querySelector("details[open]"));
  let busy = false;
  let more = false;
  const fetchAgain = async () => {
    if (busy) { more = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(main.id);
      if (fresh && !rests()) { put(fresh); mark(page); }
      if (!answer.ok) events.close();
    } catch { /* away for a moment: the stream comes back and tells again */ }
    busy = false;
    if (more) { more = false; fetchAgain(); }
  };
  let events;
  const listen = () => {
    if (events) events.close();
    events = new EventSource(main.dataset.live);
    events.onmessage = fetchAgain;
  };
  listen();
  /* a browser has few lines to one house: who looks elsewhere gives theirs back, and hears what was missed when they return;
     till then the page is asked for every two minutes, until its title says whose turn it is */
  let glance;
  document.addEventListener("visibilitychange", () => {
    clearInterval(glance);
    if (!document.hidden) { listen(); return; }
    events.close();
    glance = setInterval(() => { if (!document.title.startsWith("●")) fetchAgain(); }, 120000);
  });
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (shown) => { if (shown.persisted) location.reload(); });
})();
