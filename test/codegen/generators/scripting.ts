/** The generators of PHP and Ruby clients. With enumUnknownDefaultCase they fail on unknown values all the same. */
import { openapiGenerator } from "./openapi-generator.ts";

export const php = openapiGenerator({
  id: "openapi-generator-php",
  language: "PHP",
  needs: ["php"],
  checkedBy: "`php -l`",
  options: { generatorName: "php", additionalProperties: {} },
  commands: {
    compile: "find client/lib scenario.php -name '*.php' | xargs -n 1 php -l",
    run: "php scenario.php",
  },
  limits: [
    {
      said: "An answer can be of any class that the operation has, also an `ApiError`; PHP itself does not tell them apart.",
      seenIn: "client/lib/Api/WebhooksApi.php",
      has: /@return \\OpenAPI\\Client\\Model\\Webhook\|\\OpenAPI\\Client\\Model\\ApiError/,
    },
  ],
});

export const ruby = openapiGenerator({
  id: "openapi-generator-ruby",
  language: "Ruby",
  needs: ["ruby"],
  checkedBy: "`ruby -c`",
  options: {
    generatorName: "ruby",
    modelNameMappings: { ApiError: "ErrorAnswer" },
    additionalProperties: {},
  },
  others: { bare: { generatorName: "ruby", additionalProperties: {} } },
  commands: {
    compile: "find client/lib scenario.rb -name '*.rb' | xargs ruby -c",
    run: "ruby scenario.rb",
  },
  limits: [
    {
      said: "Without the mapping the contract's `ApiError` has the name of the client's own exception, and the client does not load.",
      fails: `ruby -I bare/lib -e 'require "openapi_client"'`,
    },
    {
      said: "The exception has an error's body as text; the program reads it as an `ErrorAnswer`.",
      seenIn: "client/lib/openapi_client/api_error.rb",
      has: /attr_reader :code, :response_headers, :response_body/,
    },
  ],
});
