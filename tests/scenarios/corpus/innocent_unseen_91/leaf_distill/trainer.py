import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, objective, lr, callbacks):
        self.model, self.objective, self.callbacks = model, objective, callbacks
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-3)
        self.should_stop = False

    def _call(self, name, *args):
        for cb in self.callbacks:
            getattr(cb, name)(self, *args)

    def validate(self, loader):
        self.model.eval()
        logits, labels = [], []
        with torch.inference_mode():
            for x, y in loader:
                logits.append(self.model(x))
                labels.append(y)
        logits, labels = torch.cat(logits), torch.cat(labels)
        return {"val_loss": F.cross_entropy(logits, labels).item(),
                "val_acc": (logits.argmax(1) == labels).float().mean().item()}

    def fit(self, train, valid, epochs):
        self.batches_per_epoch = len(train)
        for self.epoch in range(epochs):
            self.model.train()
            for x, y in train:
                self.opt.zero_grad(set_to_none=True)
                loss, out = self.objective(self.model, x, y)
                loss.backward()
                self.opt.step()
                self._call("on_batch_end", loss, out, y)
            self._call("on_epoch_end", self.validate(valid))
            if self.should_stop:
                break
        self._call("on_fit_end")
