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

  const begin = async () => {
    if (await Notification.requestPermission() !== "granted") throw new Error("denied");
    const { pushManager } = await worker.then(() => navigator.serviceWorker.ready);
    const old = await pushManager.getSubscription();
    if (old) await old.unsubscribe(); /* it may be of another key */
    await send(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key }));
    location.reload();
  };

  /* a browser may have got another address, or its player took their leave back */
  const renew = async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    const now = await pushManager.getSubscription();
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
