// The gallery: every scene the server offers, in groups, with its picture; a few letters find it.
import type { SceneChoice } from "./protocol";
import { byId, element } from "./element";

export class Gallery {
  private readonly dialog = byId<HTMLDialogElement>("gallery");
  private readonly search = byId<HTMLInputElement>("gallery-search");
  private shown = "";

  constructor(private readonly load: (scene: string) => void) {
    this.search.addEventListener("input", () => this.find());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") byId("gallery-list").querySelector<HTMLElement>("section:not([hidden]) .scene:not([hidden])")?.click();
    });
    for (const dialog of document.querySelectorAll("dialog")) {
      dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
      });
    }
  }

  open(): void {
    if (this.dialog.open) return;
    this.search.value = "";
    this.find();
    this.dialog.showModal();
    this.dialog.querySelector<HTMLElement>("[aria-current]")?.focus();
  }

  show(scenes: SceneChoice[], current: string): void {
    const key = JSON.stringify([scenes, current]);
    if (key === this.shown) return;
    this.shown = key;
    const card = (scene: SceneChoice): HTMLElement => {
      const made = element("button", { type: "button", className: "scene", ariaLabel: `${scene.name}: ${scene.title}` });
      made.dataset.scene = scene.name;
      made.dataset.words = `${scene.name} ${scene.title} ${scene.group}`.toLowerCase();
      if (scene.name === current) made.setAttribute("aria-current", "true");
      if (scene.picture) made.append(element("img", { src: scene.picture, alt: "", loading: "lazy" }));
      else made.append(element("span", { className: "no-picture", textContent: scene.name.slice(0, 1).toUpperCase(), ariaHidden: "true" }));
      made.append(element("b", { textContent: scene.name }), element("span", { textContent: scene.title }));
      made.addEventListener("click", () => {
        this.dialog.close();
        this.load(scene.name);
      });
      return made;
    };
    const groups = [...new Set(scenes.map((scene) => scene.group))].map((group) => {
      const section = element("section", { ariaLabel: group });
      const list = element("div", { className: "scenes" });
      list.append(...scenes.filter((scene) => scene.group === group).map(card));
      section.append(element("h3", { textContent: group }), list);
      return section;
    });
    byId("gallery-list").replaceChildren(...groups);
    this.find();
  }

  /** Show the scenes that the words in the field of search fit. */
  private find(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let isAnyShown = false;
    for (const section of byId("gallery-list").querySelectorAll("section")) {
      const cards = [...section.querySelectorAll<HTMLElement>(".scene")];
      for (const each of cards) each.hidden = !words.every((word) => each.dataset.words!.includes(word));
      section.hidden = cards.every((each) => each.hidden);
      isAnyShown ||= !section.hidden;
    }
    byId("gallery-none").hidden = isAnyShown;
  }
}
