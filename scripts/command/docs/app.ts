/** The server of `docs`: the documents, and the API of a server that is elsewhere. */
import express, { type Express } from "express";
import { documents } from "../../../server/api/documents.ts";
import { exact } from "../../../server/contract/enforce.ts";
import { errorMapper, nothingAnswered } from "../../../server/contract/error-mapper.ts";
import { type AccessOptions, createAccess, guard } from "../local-access.ts";
import { passOnRequest } from "./pass-on.ts";

/** @param server where the API is @param access who may call it besides pages of this server @throws when a document is missing */
export async function createDocs(server: URL, access: AccessOptions = {}): Promise<Express> {
  return exact(express())
    .use((await documents()).router)
    .use("/v1", guard(createAccess(access)), passOnRequest(server))
    .use(
      nothingAnswered,
      errorMapper(({ message, cause }) => console.error(message, cause)),
    );
}
