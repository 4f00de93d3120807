/** What the site's build compiles or makes. */
declare module "*.vue" {
  import type { DefineComponent } from "vue";

  const component: DefineComponent;

  // biome-ignore lint/style/noDefaultExport: a component's file has no other.
  export { component as default };
}

declare module "virtual:recorded" {
  export const extracts: import("./story.ts").Extract[];
}

declare module "virtual:still" {
  export const still: import("./story.ts").Frame;
}
