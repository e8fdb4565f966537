-- DropIndex
DROP INDEX "Event_address_id_idx";

-- DropIndex
DROP INDEX "Event_grantId_id_idx";

-- DropIndex
DROP INDEX "Event_flow_id_idx";

-- DropIndex
DROP INDEX "Event_reason_id_idx";

-- DropIndex
DROP INDEX "Event_subject_id_idx";

-- DropIndex
DROP INDEX "Event_clientId_outcome_id_idx";

-- CreateIndex
CREATE INDEX "Event_clientId_outcome_id_idx" ON "Event"("clientId", "outcome", "id") WHERE ("clientId" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Event_subject_id_idx" ON "Event"("subject", "id") WHERE ("subject" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Event_reason_id_idx" ON "Event"("reason", "id") WHERE ("reason" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Event_flow_id_idx" ON "Event"("flow", "id") WHERE ("flow" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Event_grantId_id_idx" ON "Event"("grantId", "id") WHERE ("grantId" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Event_address_id_idx" ON "Event"("address", "id") WHERE ("address" IS NOT NULL);
