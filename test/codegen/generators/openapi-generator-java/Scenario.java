import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.AddressActivityEvent;
import org.openapitools.client.model.AddressActivityHeaders;
import org.openapitools.client.model.AddressActivityNotification;
import org.openapitools.client.model.ApiError;
import org.openapitools.client.model.ConditionInput;
import org.openapitools.client.model.EventType;
import org.openapitools.client.model.Log;
import org.openapitools.client.model.Webhook;
import org.openapitools.client.model.WebhookCreate;
import org.openapitools.client.model.WebhookMetadataInput;
import org.openapitools.client.model.WebhookPage;
import org.openapitools.client.model.WebhookStatus;
import org.openapitools.client.model.WebhookUpdate;

/** The scenario with the Java client of openapi-generator. */
public final class Scenario {
  private static final ObjectMapper json = ApiClient.createDefaultObjectMapper();

  private interface Call {
    Object make() throws ApiException;
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("x-service-api-key", System.getenv("API_KEY")));
    WebhooksApi api = new WebhooksApi(client);

    List<String> created = new ArrayList<>();
    for (String name : List.of("one", "two", "three", "four", "five")) {
      created.add(api.createWebhook(body(name, "43112"), null).getId());
    }
    String first = created.get(0);
    Webhook read = api.getWebhook(first);
    Webhook updated = api.updateWebhook(first, new WebhookUpdate().name("renamed").status(WebhookStatus.INACTIVE));

    List<List<String>> pages = new ArrayList<>();
    String pageToken = null;
    do {
      WebhookPage page = api.listWebhooks(null, pageToken, 2);
      pages.add(page.getWebhooks().stream().map(Webhook::getId).toList());
      pageToken = page.getNextPageToken();
    } while (pageToken != null && !pageToken.isEmpty());

    ApiError badRequest = refused(() -> api.createWebhook(body("nowhere", "999999"), null));
    Webhook deleted = api.deleteWebhook(first);
    ApiError gone = refused(() -> api.getWebhook(first));

    AddressActivityEvent event =
        json.treeToValue(
                json.readTree(Path.of(System.getenv("NOTIFICATION")).toFile()).get("value"),
                AddressActivityNotification.class)
            .getEvent();
    Log log = event.getLogs().get(0);
    AddressActivityHeaders headers =
        json.readValue(Path.of(System.getenv("HEADERS")).toFile(), AddressActivityHeaders.class);
    System.out.println(
        json.writeValueAsString(
            Map.of(
                "created", created,
                "read",
                    Map.of(
                        "id", read.getId(),
                        "name", read.getName(),
                        "createdAt", read.getCreatedAt(),
                        "address", read.getMetadata().getAddresses().get(0),
                        "conditions", read.getMetadata().getConditions(),
                        "finality", read.getFinality()),
                "updated",
                    Map.of("id", updated.getId(), "name", updated.getName(), "status", updated.getStatus().getValue()),
                "pages", pages,
                "badRequest", badRequest,
                "deleted", Map.of("id", deleted.getId(), "status", deleted.getStatus().getValue()),
                "gone", gone,
                "notification",
                    Map.of(
                        "txHash", event.getTransaction().getTxHash(),
                        "blockTimestamp", event.getTransaction().getBlockTimestamp(),
                        "topics", Arrays.asList(log.getTopic0(), log.getTopic3())),
                "headers", Map.of("id", headers.getWebhookId(), "sequence", headers.getWebhookSequence()))));
  }

  private static WebhookCreate body(String name, String chainId) {
    ConditionInput conditions =
        new ConditionInput().field("transaction.value").op(ConditionInput.OpEnum.IN).value(List.of("1", "2"));
    return new WebhookCreate()
        .url(URI.create("https://example.com/hooks"))
        .chainId(chainId)
        .eventType(EventType.ADDRESS_ACTIVITY)
        .metadata(
            new WebhookMetadataInput()
                .addresses(List.of("0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"))
                .conditions(conditions))
        .includeLogs(true)
        .name(name)
        .finality("finalized");
  }

  private static ApiError refused(Call call) throws Exception {
    try {
      call.make();
    } catch (ApiException failure) {
      return json.readValue(failure.getResponseBody(), ApiError.class);
    }
    throw new IllegalStateException("It was not refused.");
  }
}
