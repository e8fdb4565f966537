-- AlterTable
ALTER TABLE "PendingRequest" ADD COLUMN "network" TEXT;

-- CreateIndex
CREATE INDEX "PendingRequest_network_expiresAt_idx" ON "PendingRequest"("network", "expiresAt");
