"""The training loop that recipes derive from."""
import enum

import torch


class Stage(enum.Enum):
    TRAIN = 1
    VALID = 2


class Brain:
    def __init__(self, modules, opt_class, hparams):
        self.modules = torch.nn.ModuleDict(modules)
        self.hparams = hparams
        self.optimizer = opt_class(self.modules.parameters())
        self.step = 0
        self.avg_train_loss = 0.0

    def compute_forward(self, batch, stage):
        raise NotImplementedError

    def compute_objectives(self, predictions, batch, stage):
        raise NotImplementedError

    def on_stage_start(self, stage, epoch):
        pass

    def on_stage_end(self, stage, stage_loss, epoch):
        pass

    def fit_batch(self, batch):
        outputs = self.compute_forward(batch, Stage.TRAIN)
        loss = self.compute_objectives(outputs, batch, Stage.TRAIN)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.modules.parameters(), self.hparams["max_grad_norm"])
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        return loss.detach().cpu()

    @torch.no_grad()
    def evaluate_batch(self, batch, stage):
        out = self.compute_forward(batch, stage)
        return self.compute_objectives(out, batch, stage).detach().cpu()

    def update_average(self, loss, avg, n):
        return avg + (float(loss) - avg) / n

    def fit(self, epochs, train_set, valid_set):
        for epoch in range(1, epochs + 1):
            self.on_stage_start(Stage.TRAIN, epoch)
            self.modules.train()
            avg = 0.0
            for n, batch in enumerate(train_set, 1):
                avg = self.update_average(self.fit_batch(batch), avg, n)
                if n % 100 == 0:
                    print(f"epoch {epoch} batch {n} train loss {avg:.3f}")
            self.on_stage_end(Stage.TRAIN, avg, epoch)

            self.on_stage_start(Stage.VALID, epoch)
            self.modules.eval()
            avg = 0.0
            for n, batch in enumerate(valid_set, 1):
                avg = self.update_average(self.evaluate_batch(batch, Stage.VALID), avg, n)
            self.on_stage_end(Stage.VALID, avg, epoch)
