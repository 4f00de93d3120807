/** VitePress' own theme with the system's fonts: nothing to download before the first word is read. */
import "./style.css";

export { default } from "vitepress/theme-without-fonts";
