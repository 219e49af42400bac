/* One's own pages as an app: they keep the last table for when there is no line, and this browser can be told when it is its player's
   turn.  Without this script, or where a browser can't do it, everything else works as it does. */
(() => {
  "use strict";
  const root = document.currentScript.dataset.root;
  if (!navigator.serviceWorker) return;
  const worker = navigator.serviceWorker.register(`${root}/me/worker.js`, { scope: `${root}/me` });
  worker.catch(() => {}); /* not on this address: https alone has it */
  const form = document.getElementById("push");
  if (!form || !window.PushManager || !window.Notification) return;

  const send = async (subscription) => {
    const said = new URLSearchParams(new FormData(form));
    if (subscription) {
      said.set("endpoint", subscription.endpoint);
      for (const [name, key] of Object.entries(subscription.toJSON().keys)) said.set(name, key);
    }
    const answer = await fetch(form.action, { method: "POST", body: said, redirect: "manual" });
    if (answer.type !== "opaqueredirect") throw new Error("refused");
  };

  const subscribe = async (pushManager, old) => {
    if (old) await old.unsubscribe(); /* it may be of another key */
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
  };

  const begin = async () => {
    if (await Notification.requestPermission() !== "granted") throw new Error("denied");
    const { pushManager } = await worker.then(() => navigator.serviceWorker.ready);
    await send(await subscribe(pushManager, await pushManager.getSubscription()));
    location.reload();
  };

  const ofAnotherKey = ({ options }) => options?.applicationServerKey
    && btoa(String.fromCharCode(...new Uint8Array(options.applicationServerKey))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "") !== form.dataset.key;

  /* a browser may have got another address, its player took their leave back, or the house has another key by now */
  const renew = async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    let now = await pushManager.getSubscription();
    if (now && ofAnotherKey(now)) now = await subscribe(pushManager, now).catch(() => null);
    await send(now);
    if (!now) location.reload();
  };

  if (form.hasAttribute("data-on")) {
    renew().catch(() => {});
    return;
  }
  form.hidden = false;
  form.addEventListener("submit", (sent) => {
    sent.preventDefault();
    begin().catch(() => { form.querySelector("[role=status]").textContent = form.dataset.denied; });
  });
})();
