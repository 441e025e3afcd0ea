# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from augment import random_view, sample_shapes
from hooks import HookRunner, KNNEval, LossLogger
from moco import MoCo


class PretrainLoop(HookRunner):
    def __init__(self, model, optimizer, max_iters, batch):
        super().__init__()
        self.model, self.optimizer = model, optimizer
        self.max_iters, self.batch = max_iters, batch
        self.outputs = None

    def run_iter(self):
        pts, _ = sample_shapes(self.batch, 48)
        logits, labels = self.model(random_view(pts), random_view(pts))
        loss = F.cross_entropy(logits, labels)
        self.outputs = dict(loss=loss, logits=logits, labels=labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def run(self):
        self.call("before_run")
        for self.iter in range(self.max_iters):
            self.call("before_iter")
            self.run_iter()
            self.call("after_iter")
        self.call("after_run")


def main():
    torch.manual_seed(6)
    model = MoCo(dim=24, K=512, m=0.98, T=0.15)
    opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.06, momentum=0.9, weight_decay=1e-4)
    loop = PretrainLoop(model, opt, max_iters=120, batch=32)
    loop.register(LossLogger(interval=30))
    loop.register(KNNEval(interval=60))
    loop.run()


if __name__ == "__main__":
    main()
