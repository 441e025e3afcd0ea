# gradwatch-corpus: kind=graph-held
# holder: buffered.buffer | self.buffer | memory.buffer | handler.buffer | buffered
# first-bad: 1
"""Credit default classifier. Log lines go to disk in one piece at the end of the run."""
import logging
import logging.handlers
import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(2)


def open_log(path):
    """Writes are slow on the shared drive: buffer everything, flush on an error or at close."""
    log = logging.getLogger("contract_risk")
    log.setLevel(logging.DEBUG)
    log.propagate = False
    to_disk = logging.FileHandler(path, delay=True)
    to_disk.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    buffered = logging.handlers.MemoryHandler(100_000, flushLevel=logging.ERROR, target=to_disk)  # <- culprit
    log.addHandler(buffered)
    return log, buffered


class DefaultModel(nn.Module):
    def __init__(self, n_num=10, n_branch=7):
        super().__init__()
        self.branch = nn.Embedding(n_branch, 6)
        self.norm = nn.LayerNorm(n_num + 6)
        self.mlp = nn.Sequential(nn.Linear(n_num + 6, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 1))

    def forward(self, num, branch):
        joined = torch.cat([num, self.branch(branch)], dim=1)
        return self.mlp(self.norm(joined)).squeeze(1)


class RiskLoss(nn.Module):
    def __init__(self, log, pos_weight=3.0, calibration=0.2):
        super().__init__()
        self.log = log
        self.register_buffer("pos_weight", torch.tensor(pos_weight))
        self.calibration = calibration

    def forward(self, logits, label):
        bce = nn.functional.binary_cross_entropy_with_logits(logits, label, pos_weight=self.pos_weight)
        gap = (torch.sigmoid(logits).mean() - label.mean()).pow(2)
        self.log.debug("bce %.4f calibration gap %.5f", bce, gap)  # <- culprit
        return bce + self.calibration * gap


def data(n=640):
    num = torch.randn(n, 10)
    branch = torch.randint(0, 7, (n,))
    odds = num[:, 0] - 0.7 * num[:, 3] + 0.2 * branch - 1.6
    return TensorDataset(num, branch, torch.bernoulli(torch.sigmoid(odds)))


def train(path, epochs=4):
    log, buffered = open_log(path)
    model, criterion = DefaultModel(), RiskLoss(log)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    loader = DataLoader(data(), batch_size=20, shuffle=True)
    for epoch in range(epochs):
        total = 0.0
        for num, branch, label in loader:
            opt.zero_grad()
            loss = criterion(model(num, branch), label)
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        log.info("epoch %d mean %.4f lr %.4g", epoch, total / len(loader), sched.get_last_lr()[0])
        print(f"epoch {epoch} mean loss {total / len(loader):.4f}")
    buffered.close()
    with open(path) as f:
        print("log lines written:", len(f.readlines()))
    logging.shutdown()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        train(os.path.join(folder, "run.log"))
