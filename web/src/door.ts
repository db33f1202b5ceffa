// How this page gets in: the token or the code behind the # of its link is exchanged for a cookie and leaves the address.
const hash = new URLSearchParams(location.hash.slice(1));

/** The token of a printed link, as long as this page lives; "" if a code or an earlier visit let it in. */
export const token = hash.get("token") ?? "";

const bearer = (secret: string): RequestInit => ({ method: "POST", headers: { Authorization: `Bearer ${secret}` } });

async function enter(): Promise<void> {
  const secret = token || hash.get("code");
  if (!secret) return;
  const answer = await fetch("enter", bearer(secret));
  if (!answer.ok) return;
  // Neither belongs into bookmarks, pictures of the screen, or links that are passed on.
  const left = new URLSearchParams(location.hash.slice(1));
  left.delete("token");
  left.delete("code");
  const address = new URL(location.href);
  address.hash = left.toString();
  history.replaceState(null, "", address);
}

/** Settled once it is clear whether the server lets this page in. */
export const entered: Promise<void> = enter().catch(() => undefined);

/** Return a link to this page, with `share` behind its #, that lets one more browser in. */
export async function invitation(share: string): Promise<string> {
  const answer = await fetch("code", bearer(token));
  const link = new URL(location.href);
  link.hash = answer.ok ? `code=${await answer.text()}&${share}` : share;
  return link.href;
}
