-- AlterTable
ALTER TABLE "PendingRequest" ADD COLUMN     "network" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "PendingRequest_network_expiresAt_idx" ON "PendingRequest"("network", "expiresAt");
