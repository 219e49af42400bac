/* What a browser does for us while no page of ours is open: it shows notices, and the last table where there is no line.
   Kept are one page and the files that it is dressed with, until its player signs out. */
"use strict";
const HOME = new URL(registration.scope).pathname; /* …/me */
const ROOT = HOME.slice(0, -"/me".length);
const PAGE = "page", FILES = "files";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

const forget = () => Promise.all([PAGE, FILES].map((name) => caches.delete(name)));
const table = (path) => path.startsWith(`${HOME}/`) && /^[0-9]+$/.test(path.slice(HOME.length + 1));

/* the last page takes the place of the one before, and so do its files */
const remember = async (path, answer) => {
  const text = await answer.clone().text();
  const page = await caches.open(PAGE), files = await caches.open(FILES);
  for (const one of await page.keys()) if (new URL(one.url).pathname !== path) await page.delete(one);
  await page.put(path, answer);
  const found = text.matchAll(/(?:href|src)="([^"#?]*\/static\/[^"#?]+)"/g);
  const wanted = new Set([...found].map((one) => new URL(one[1], location.href).href));
  for (const one of await files.keys()) if (!wanted.has(one.url)) await files.delete(one);
  for (const one of wanted) if (!await files.match(one)) await files.add(one).catch(() => {});
};

const recall = async (path) => {
  const page = await caches.open(PAGE);
  const [last] = path === HOME ? await page.keys() : [path];
  const kept = last && await page.match(last);
  if (!kept) return Response.error();
  const headers = new Headers(kept.headers);
  headers.delete("Content-Encoding");
  return new Response((await kept.text()).replace(" hidden data-offline", " data-offline"), { headers });
};

const shown = async (event, path) => {
  try {
    const answer = await fetch(event.request);
    if (answer.status === 403) event.waitUntil(forget());
    else if (answer.ok && !answer.redirected && table(path)) event.waitUntil(remember(path, answer.clone()));
    return answer;
  } catch {
    return recall(path);
  }
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    if (pathname === `${HOME}/out` || pathname.startsWith(`${HOME}/in/`)) event.waitUntil(forget());
  } else if (pathname === HOME || table(pathname)) {
    event.respondWith(shown(event, pathname));
  } else if (pathname.startsWith(`${ROOT}/static/`)) {
    event.respondWith(caches.match(request).then((kept) => kept || fetch(request)));
  }
});

addEventListener("push", (event) => {
  const said = event.data ? event.data.json() : {};
  const at = table(String(said.at)) ? said.at : HOME;
  const show = async () => {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    if (open.some((one) => one.focused && new URL(one.url).pathname === at)) return; /* they see it happen */
    const silent = Boolean(said.silent);
    /* one notice for each table; a newer one rings as the first did, which may lie there for days */
    const how = { tag: said.tag || "citadels", renotify: !silent, silent, data: at };
    await registration.showNotification(said.text || "Citadels", how);
  };
  event.waitUntil(show());
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const at = event.notification.data;
  const open = async () => {
    const all = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = all.find((one) => new URL(one.url).pathname === at);
    return there ? there.focus() : clients.openWindow(at);
  };
  event.waitUntil(open());
});
