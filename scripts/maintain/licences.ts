/** `node --import tsx scripts/maintain/licences.ts`: what is installed along with the package, and under which licence. */
import { installedAlong } from "./supply-chain/installed-along.ts";

for (const { name, version, licence } of await installedAlong()) console.log(`${name} ${version}  ${licence}`);
