/* Opened inside Telegram: what Telegram says of its reader stands behind the "#" of the address, and is sent to us as a form.
   Telegram's own apps (they bring TelegramWebviewProxy) go on at once; in a browser, where anybody may have made the address, one is
   asked first, as whom.  In the frame of Telegram's web client no cookie would be kept: there it goes on in a tab of its own. */
(() => {
  "use strict";
  const form = document.getElementById("enter");
  const said = new URLSearchParams(location.hash.slice(1)).get("tgWebAppData");
  if (!form || !said) return;
  history.replaceState(null, "", location.pathname + location.search);
  form.elements.data.value = said;
  const app = window.TelegramWebviewProxy;
  if (app && top === self) {
    form.elements.inside.disabled = false;
    try { app.postEvent("web_app_expand", "{}"); } catch { /* it stays half as high */ }
    form.submit();
    return;
  }
  if (top !== self) form.target = "_blank";
  try {
    const name = String(JSON.parse(new URLSearchParams(said).get("user")).first_name).slice(0, 60);
    const who = document.getElementById("who");
    who.textContent = who.dataset.says.replace("{name}", () => name);
  } catch { /* then without the name */ }
  document.getElementById("how").hidden = true;
  form.hidden = false;
})();
