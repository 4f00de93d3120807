using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

/// <summary>The scenario with the C# client of openapi-generator.</summary>
public static class Scenario
{
    public static void Main()
    {
        var configuration = new Configuration { BasePath = Environment.GetEnvironmentVariable("BASE_URL") };
        configuration.ApiKey["x-service-api-key"] = Environment.GetEnvironmentVariable("API_KEY");
        var client = new ApiClient(configuration.BasePath);
        client.SerializerSettings.NullValueHandling = NullValueHandling.Ignore;
        var api = new WebhooksApi(client, client, configuration);

        var names = new[] { "one", "two", "three", "four", "five" };
        var created = names.Select(name => api.CreateWebhook(Body(name)).Id).ToList();
        var first = created[0];
        var read = api.GetWebhook(first);
        var updated = api.UpdateWebhook(first, new WebhookUpdate { Name = "renamed", Status = WebhookStatus.Inactive });

        var pages = new List<List<string>>();
        string pageToken = null;
        do
        {
            var page = api.ListWebhooks(pageToken: pageToken, pageSize: 2);
            pages.Add(page.Webhooks.Select(webhook => webhook.Id).ToList());
            pageToken = page.NextPageToken;
        } while (!string.IsNullOrEmpty(pageToken));

        var badRequest = Refused(() => api.CreateWebhook(Body("nowhere", "999999")));
        var deleted = api.DeleteWebhook(first);
        var gone = Refused(() => api.GetWebhook(first));

        var file = JObject.Parse(File.ReadAllText(Environment.GetEnvironmentVariable("NOTIFICATION")));
        var notification = file["value"].ToObject<AddressActivityNotification>();
        var transaction = notification.Event.Transaction;
        var log = notification.Event.Logs[0];
        var received = File.ReadAllText(Environment.GetEnvironmentVariable("HEADERS"));
        var headers = JsonConvert.DeserializeObject<AddressActivityHeaders>(received);
        var report = new
        {
            created,
            read = new
            {
                id = read.Id,
                name = read.Name,
                createdAt = read.CreatedAt,
                address = read.Metadata.Addresses[0],
                conditions = read.Metadata.Conditions,
                finality = read.Finality,
            },
            updated = new { id = updated.Id, name = updated.Name, status = updated.Status },
            pages,
            badRequest,
            deleted = new { id = deleted.Id, status = deleted.Status },
            gone,
            notification = new
            {
                txHash = transaction.TxHash,
                blockTimestamp = transaction.BlockTimestamp,
                topics = new[] { log.Topic0, log.Topic3 },
            },
            headers = new { id = headers.WebhookId, sequence = headers.WebhookSequence },
        };
        Console.WriteLine(JsonConvert.SerializeObject(report));
    }

    private static WebhookCreate Body(string name, string chainId = "43112")
    {
        return new WebhookCreate(
            url: "https://example.com/hooks",
            chainId: chainId,
            eventType: EventType.AddressActivity,
            metadata: new WebhookMetadataInput(
                addresses: new List<string> { "0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85" },
                conditions: new ConditionInput(
                    field: "transaction.value",
                    op: ConditionInput.OpEnum.In,
                    value: new List<string> { "1", "2" })),
            includeLogs: true,
            name: name,
            finality: "finalized");
    }

    private static ApiError Refused(Func<object> call)
    {
        try
        {
            call();
        }
        catch (ApiException failure)
        {
            return JsonConvert.DeserializeObject<ApiError>((string)failure.ErrorContent);
        }
        throw new InvalidOperationException("It was not refused.");
    }
}
