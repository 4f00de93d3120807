/** Answers a valid request with one of the contract's examples, which Prism finds. */
import type { Request, Response } from "express";
import type { Contract, LocatedOperation } from "../../../server/contract/contract.ts";
import { fitToRequest } from "./answer.ts";
import { checkBeyondSchema } from "./beyond-schema.ts";
import { readPreference } from "./preference.ts";
import type { Prism } from "./prism.ts";

/** @param prefer as in the header @param retryAfter in place of the example's @returns the body that was sent */
export type AnswerByExample = (
  operation: LocatedOperation,
  request: Request,
  response: Response,
  prefer?: string,
  retryAfter?: number,
) => Promise<unknown>;

export function answerByPrism(contract: Contract, prism: Prism): AnswerByExample {
  return async (operation, request, response, prefer, retryAfter) => {
    const { query, body } = request;
    const preference = readPreference(prefer, contract, operation);
    await checkBeyondSchema(operation.operationId, { query, body });
    const answer = fitToRequest(await prism(request, preference), query);
    response
      .status(answer.status)
      .set({ ...answer.headers, ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }) })
      .json(answer.body);
    return answer.body;
  };
}
