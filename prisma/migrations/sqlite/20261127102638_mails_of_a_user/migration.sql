-- AlterTable
ALTER TABLE "Delivery" ADD COLUMN "detail" TEXT;

-- CreateIndex
CREATE INDEX "Delivery_target_id_idx" ON "Delivery"("target", "id");
