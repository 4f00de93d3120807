/** VitePress' own theme with the system's fonts: nothing to download before the first word is read. */
import "./style.css";
import type { Theme } from "vitepress";
import theme, { VPButton } from "vitepress/theme-without-fonts";
import LivePicture from "./home/LivePicture.vue";
import "./home/home.css";

const withPicture: Theme = {
  extends: theme,
  enhanceApp: ({ app }) => void app.component("LivePicture", LivePicture).component("VPButton", VPButton),
};
// biome-ignore lint/style/noDefaultExport: VitePress asks for it.
export default withPicture;
