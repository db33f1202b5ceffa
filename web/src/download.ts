// Files from the server, and pictures made here, for the folder of downloads.
import { toast } from "./tools";

/** Fetch a file the server has made; `also` are endings of the formats it would make of it as well. */
export async function download(name: string, done: string, also: string[] = []): Promise<void> {
  const answer = await fetch(`recordings/${encodeURIComponent(name)}`);
  if (!answer.ok) {
    const reason = answer.status === 422 ? (await answer.text()).trim() : "";
    return toast(reason || `The file ${name} is on the server, but could not be fetched.`);
  }
  save(await answer.blob(), name);
  toast(done, also.map((ending) => {
    const other = name.replace(/\.[^.]+$/, ending);
    return { label: `also as ${ending}`, run: () => void download(other, `Downloaded ${other}`) };
  }));
}

/** Put something among the downloads. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
