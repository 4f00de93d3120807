// The scenario with the Go client of openapi-generator.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"scenario/client"
)

func value[T any](answer *T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return *answer
}

func refused[T any](_ *T, _ *http.Response, err error) client.ApiError {
	var failure *client.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatalf("it was not refused: %v", err)
	}
	told, ok := failure.Model().(client.ApiError)
	if !ok {
		log.Fatalf("the error is no ApiError: %v", err)
	}
	return told
}

func body(name string, chainID string) client.WebhookCreate {
	conditions := client.NewConditionInput()
	conditions.SetField("transaction.value")
	conditions.SetOp("in")
	conditions.SetValue([]string{"1", "2"})
	metadata := client.NewWebhookMetadataInput()
	metadata.SetAddresses([]string{"0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"})
	metadata.SetConditions(*conditions)
	create := client.NewWebhookCreate(chainID, client.EVENTTYPE_ADDRESS_ACTIVITY, *metadata)
	create.SetUrl("https://example.com/hooks")
	create.SetName(name)
	create.SetIncludeLogs(true)
	create.SetFinality("finalized")
	return *create
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	keys := map[string]client.APIKey{"apiKey": {Key: os.Getenv("API_KEY")}}
	ctx := context.WithValue(context.Background(), client.ContextAPIKeys, keys)
	api := client.NewAPIClient(configuration).WebhooksAPI

	var created []string
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		created = append(created, value(api.CreateWebhook(ctx).WebhookCreate(body(name, "43112")).Execute()).Id)
	}
	first := created[0]
	read := value(api.GetWebhook(ctx, first).Execute())
	change := client.NewWebhookUpdate()
	change.SetName("renamed")
	change.SetStatus(client.WEBHOOKSTATUS_INACTIVE)
	updated := value(api.UpdateWebhook(ctx, first).WebhookUpdate(*change).Execute())

	var pages [][]string
	for request := api.ListWebhooks(ctx).PageSize(2); ; {
		page := value(request.Execute())
		var ids []string
		for _, webhook := range page.Webhooks {
			ids = append(ids, webhook.Id)
		}
		pages = append(pages, ids)
		if page.GetNextPageToken() == "" {
			break
		}
		request = request.PageToken(page.GetNextPageToken())
	}

	badRequest := refused(api.CreateWebhook(ctx).WebhookCreate(body("nowhere", "999999")).Execute())
	deleted := value(api.DeleteWebhook(ctx, first).Execute())
	gone := refused(api.GetWebhook(ctx, first).Execute())

	file, err := os.ReadFile(os.Getenv("NOTIFICATION"))
	if err != nil {
		log.Fatal(err)
	}
	var example struct{ Value client.AddressActivityNotification }
	if err := json.Unmarshal(file, &example); err != nil {
		log.Fatal(err)
	}
	event := example.Value.Event
	entry := event.Logs[0]

	received, err := os.ReadFile(os.Getenv("HEADERS"))
	if err != nil {
		log.Fatal(err)
	}
	var headers client.AddressActivityHeaders
	if err := json.Unmarshal(received, &headers); err != nil {
		log.Fatal(err)
	}

	report, err := json.Marshal(map[string]any{
		"created": created,
		"read": map[string]any{
			"id": read.Id, "name": read.Name, "createdAt": read.CreatedAt, "address": read.Metadata.Addresses[0],
			"conditions": read.Metadata.Conditions, "finality": read.Finality,
		},
		"updated":    map[string]any{"id": updated.Id, "name": updated.Name, "status": updated.Status},
		"pages":      pages,
		"badRequest": badRequest,
		"deleted":    map[string]any{"id": deleted.Id, "status": deleted.Status},
		"gone":       gone,
		"notification": map[string]any{
			"txHash":         event.Transaction.TxHash,
			"blockTimestamp": event.Transaction.BlockTimestamp,
			"topics":         []*string{entry.Topic0.Get(), entry.Topic3.Get()},
		},
		"headers": map[string]any{"id": headers.WebhookId, "sequence": headers.WebhookSequence},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(report))
}
