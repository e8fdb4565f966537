-- Data: a retry and a replay of a refresh token get the names of what they are
UPDATE "Event" SET "name" = 'refresh_retried' WHERE "name" = 'refresh_replayed';
UPDATE "Event" SET "name" = 'refresh_token_replayed' WHERE "name" = 'refresh_reused';
UPDATE "Event" SET "details" = replace("details", '"refresh_reused"', '"refresh_token_replayed"') WHERE "name" = 'refusals_not_kept';
UPDATE "Event" SET "reason" = 'refresh_token_replayed' WHERE "reason" = 'refresh_token_reused';
UPDATE "HourlyCount" SET "label" = 'refresh_token_replayed' WHERE "metric" = 'refusal' AND "label" = 'refresh_token_reused';
UPDATE "DailyCount" SET "label" = 'refresh_token_replayed' WHERE "metric" = 'refusal' AND "label" = 'refresh_token_reused';
