class TrainerBase:
    retain = True

    def __init__(self, backbone, head, criterion, optimizer, metrics):
        self.backbone, self.head = backbone, head
        self.criterion, self.optimizer, self.metrics = criterion, optimizer, metrics

    def training_step(self, batch):
        raise NotImplementedError

    def after_step(self, outputs):
        pass

    def fit(self, loader, iters):
        for i, batch in zip(range(iters), loader):
            outputs = self.training_step(batch)
            self.optimizer.zero_grad()
            outputs["loss"].backward(retain_graph=self.retain)
            self.optimizer.step()
            self.after_step(outputs)
            if i % 80 == 0:
                print(i, {k: round(v, 3) for k, v in self.metrics.compute().items()})


class ProbeTrainer(TrainerBase):
    def training_step(self, batch):
        x, y = batch
        logits = self.head(self.backbone(x))
        ce, loss = self.criterion(logits, y)
        acc = (logits.argmax(1) == y).float().mean()
        return {"loss": loss, "ce": ce, "acc": acc}

    def after_step(self, outputs):
        self.metrics.update_all(ce_ema=outputs["ce"], acc=outputs["acc"])  # <- culprit
