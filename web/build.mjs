// Builds the page into the Python package, and the headset emulator for the tests.
import { build } from "esbuild";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "supple", "studio", "static");

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const shared = { bundle: true, minify: true, target: "es2022", legalComments: "none", absWorkingDir: here };
await build({ ...shared, entryPoints: ["src/main.ts"], format: "esm", outfile: join(target, "page.js") });
await build({ ...shared, entryPoints: ["src/feed.ts"], format: "iife", outfile: join(target, "feed.js") });
await build({ ...shared, entryPoints: ["src/page.css"], outfile: join(target, "page.css") });
for (const page of ["film", "replay", "compare"]) {
  await build({ ...shared, entryPoints: [`src/${page}.ts`], format: "esm", outfile: join(target, `${page}.js`) });
  await build({ ...shared, entryPoints: [`src/${page}.css`], outfile: join(target, `${page}.css`) });
}
for (const file of ["index.html", "film.html", "replay.html", "compare.html", "icon.svg"]) await cp(join(here, "src", file), join(target, file));
await build({
  ...shared,
  entryPoints: ["test/headset.ts"],
  format: "iife",
  outfile: join(here, "build", "headset.js"),
});
