-- Data: what a grant authorizes becomes one JSON object
ALTER TABLE "Grant" RENAME COLUMN "scopes" TO "details";
UPDATE "Grant" SET "details" = '{"scopes":' || "details" || '}';

-- CreateIndex
CREATE INDEX "Event_address_id_idx" ON "Event"("address", "id");
