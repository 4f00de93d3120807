import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers addresses with their checksum",
  rules: ["addresses-lower-case"],
  answer(answer) {
    const written = JSON.stringify(answer.body).replace(/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed/g, checksummed);
    answer.body = JSON.parse(written);
  },
};

const checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
