// The gallery: every scene the server offers, with its picture.
import type { SceneChoice } from "./protocol";
import { byId, element } from "./element";

export class Gallery {
  private readonly dialog = byId<HTMLDialogElement>("gallery");
  private shown = "";

  constructor(private readonly load: (scene: string) => void) {
    for (const dialog of document.querySelectorAll("dialog")) {
      dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
      });
    }
  }

  open(): void {
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.dialog.querySelector<HTMLElement>("[aria-current]")?.focus();
  }

  show(scenes: SceneChoice[], current: string): void {
    const key = JSON.stringify([scenes, current]);
    if (key === this.shown) return;
    this.shown = key;
    const cards = scenes.map((scene) => {
      const card = element("button", { type: "button", className: "scene", ariaLabel: `${scene.name}: ${scene.title}` });
      card.dataset.scene = scene.name;
      if (scene.name === current) card.setAttribute("aria-current", "true");
      if (scene.picture) card.append(element("img", { src: scene.picture, alt: "", loading: "lazy" }));
      else card.append(element("span", { className: "no-picture", textContent: scene.name.slice(0, 1).toUpperCase(), ariaHidden: "true" }));
      card.append(element("b", { textContent: scene.name }), element("span", { textContent: scene.title }));
      card.addEventListener("click", () => {
        this.dialog.close();
        this.load(scene.name);
      });
      return card;
    });
    byId("gallery-list").replaceChildren(...cards);
  }
}
