/* A card that lies open is closed by Escape.  A page that is open asks for itself again when its table has changed, and puts the new main part in the place of the old one.
   What was being typed stays, and so does the focus; what is new on the board is marked, for the style sheet to move.  Without this script everything works by reloading. */
(() => {
  "use strict";
  addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector("details[name=told][open]");
    if (!open) return;
    if (open.contains(document.activeElement)) open.querySelector("summary").focus();
    open.open = false;
  });
  const main = document.querySelector("[data-live]");
  if (!main || !main.dataset.live || !window.EventSource) return;
  const spoken = document.createElement("p");
  spoken.className = "unseen";
  spoken.setAttribute("role", "status");
  main.after(spoken);

  /* what is to be found again on a new page: by its id, or, like a card, by its words and whose it is; the second of two alike as such */
  const named = (selector) => {
    const found = new Map();
    for (const one of main.querySelectorAll(selector)) {
      const within = one.matches("details") ? one.querySelector("summary") : one;
      const words = (within.querySelector(".name, .label") ?? within).textContent; /* not what may be done there just now */
      let key = one.id || `${one.closest(".player")?.querySelector("h3").textContent ?? ""} ${words} ${one.value ?? ""}`;
      while (found.has(key)) key += "+";
      found.set(key, one);
    }
    return found;
  };
  const typed = (root) => root.querySelectorAll("textarea[id], input[id]");

  /* what is read aloud when it is new: what happened, the oldest first, and what is asked; of a line that grew, what came to it */
  const lines = () => [...[...main.querySelectorAll(".news > li")].reverse(), ...main.querySelectorAll("h2, .ask > p:not(.back, .who)")].map((one) => one.textContent.trim());
  const heard = (past) => lines().map((line) => line.slice(Math.max(0, ...past.filter((old) => (line + " ").startsWith(old + " ")).map((old) => old.length))).trim())
    .filter(Boolean).slice(-5).join(" ");

  /* what everybody sees on the board, by where it lies; gold, cards, points and the size of a city have a number */
  const lying = () => {
    const found = new Map();
    for (const place of main.querySelectorAll(".player, .track > li")) {
      const whose = place.querySelector("h3, .label").textContent;
      for (const one of place.querySelectorAll(".tile, .tags > li, .crowned, .track i, .city, dd")) {
        const number = one.matches("dd") ? +one.textContent : one.matches(".city") ? one.querySelectorAll(".tile").length : null;
        const drawing = number === null && one.querySelector("use");
        let key = `${whose} ${drawing ? drawing.getAttribute("href").split("#")[1] : number === null ? one.textContent : one.parentNode.classList[0]}`;
        while (found.has(key)) key += "+";
        found.set(key, { one, number });
      }
    }
    return found;
  };
  /* how the board stood; as it was before what is still being shown as new */
  let stood = [], since = 0;
  const before = () => (Date.now() - since < 2000 ? stood : [...lying()].map(([key, { number }]) => [key, number]));
  const markNew = (past) => {
    const known = new Map(past);
    if (known.size) for (const [key, { one, number }] of lying()) {
      const by = number - (known.get(key) ?? number);
      if (by < 0 && one.matches(".city")) one.querySelector(".gap")?.classList.add("gone");
      else if (by && one.matches("dd")) one.dataset.by = by > 0 ? "+" + by : "−" + -by;
      else if (!known.has(key)) one.classList.add("new");
      else continue;
      if (Date.now() - since >= 2000) [stood, since] = [past, Date.now()];
    }
  };
  /* one's own order loads the page anew: how the board stood when it was sent is kept for that in this tab */
  const shelf = "board " + location.pathname;
  try {
    markNew(JSON.parse(sessionStorage.getItem(shelf) || "[]"));
    let sent;
    addEventListener("submit", () => { sent = before(); });
    addEventListener("pagehide", () => sessionStorage.setItem(shelf, JSON.stringify(sent || before())));
  } catch { /* a browser that keeps nothing */ }

  const put = (fresh) => {
    const past = before(), said = lines();
    const kept = new Map([...typed(main)].map((box) => [box.id, box.value]));
    const begun = [...main.querySelectorAll("textarea[id]")].filter((box) => box.value !== box.defaultValue);
    for (const box of begun) box.ariaLabel = box.labels[0]?.textContent ?? box.ariaLabel;
    const open = new Map([...named("details")].map(([key, one]) => [key, one.open]));
    const at = document.activeElement;
    const within = main.contains(at) && at !== main;
    const [where] = within && !at.id ? [...named(at.tagName)].find(([, one]) => one === at) : [];
    const place = within && at.id && typeof at.selectionStart === "number" ? [at.selectionStart, at.selectionEnd] : null;
    if (fresh.dataset.live) main.dataset.live = fresh.dataset.live;
    main.replaceChildren(...fresh.childNodes);
    markNew(past);
    for (const [key, one] of named("details")) if (open.has(key)) one.open = open.get(key);
    for (const box of typed(main)) if (kept.has(box.id)) box.value = kept.get(box.id);
    /* where there is no such box any more (signed out meanwhile, the end of a game) the words stay, to be copied */
    for (const box of begun) if (!document.getElementById(box.id)) { box.readOnly = true; main.append(box); }
    const again = within && (at.id ? document.getElementById(at.id) : named(at.tagName).get(where));
    if (again) {
      again.focus({ preventScroll: true });
      if (place) again.setSelectionRange(...place);
    } else if (at && at !== document.body && !document.contains(at)) {
      main.focus({ preventScroll: true });
    }
    spoken.textContent = "";
    const says = main.querySelector("[data-changed]");
    if (says) spoken.textContent = heard(said) || says.dataset.changed;
  };

  /* what a tab that is not looked at shows of us: its title and its icon */
  const icon = document.querySelector("link[rel=icon]");
  const mark = (page) => {
    document.title = page.title;
    document.body.className = page.body.className;
    const next = page.querySelector("link[rel=icon]");
    if (icon && next && icon.href !== next.href) icon.href = next.href;
  };

  /* a part that moves by itself waits for somebody who reads in it */
  const rests = () => "rests" in main.dataset && (main.contains(document.activeElement) || main.querySelector("details[open]"));
  let busy = false;
  let more = false;
  let events;
  const closed = () => events.readyState === EventSource.CLOSED;

  /* a house that starts anew behind its web server says 502 for a moment, and a browser gives such a stream up: it is asked again, less and less often */
  const SOON = 4000, SELDOM = 120000;
  let later, pause = SOON;
  const askLater = () => {
    clearTimeout(later);
    if (document.hidden) return; /* who comes back listens anew */
    later = setTimeout(fetchAgain, pause * (1 + Math.random()));
    pause = Math.min(2 * pause, SELDOM);
  };
  const fetchAgain = async () => {
    if (busy) { more = true; return; }
    busy = true;
    let away = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      away = answer.status === 429 || answer.status >= 500; /* nothing about the table: what is shown and typed stays */
      if (!away) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById(main.id);
        if (fresh && !rests()) { put(fresh); mark(page); }
        if (!answer.ok) events.close();
        else if (closed() && fresh && fresh.dataset.live && !document.hidden) listen();
      }
    } catch { away = true; }
    busy = false;
    if (away) askLater();
    else if (more) { more = false; fetchAgain(); }
  };
  const listen = () => {
    clearTimeout(later);
    if (events) events.close();
    events = new EventSource(main.dataset.live);
    events.onopen = () => { pause = SOON; };
    events.onmessage = fetchAgain;
    events.onerror = () => { if (closed()) askLater(); };
  };
  listen();
  /* a browser has few lines to one house: who looks elsewhere gives theirs back, and hears what was missed when they return;
     till then the page is asked for every two minutes, until its title says whose turn it is */
  let glance;
  document.addEventListener("visibilitychange", () => {
    clearInterval(glance);
    if (!document.hidden) { listen(); return; }
    events.close();
    clearTimeout(later);
    glance = setInterval(() => { if (!document.title.startsWith("●")) fetchAgain(); }, 120000);
  });
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (shown) => { if (shown.persisted) location.reload(); });
})();
