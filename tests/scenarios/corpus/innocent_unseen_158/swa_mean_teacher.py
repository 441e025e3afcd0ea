# gradwatch-corpus: kind=none
"""Mean teacher with an averaged model, then stochastic weight averaging in the last third."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.set_num_threads(1)
torch.manual_seed(18)


def network():
    return nn.Sequential(nn.Linear(14, 40), nn.BatchNorm1d(40), nn.ReLU(), nn.Linear(40, 3))


def ema(averaged, current, count):
    rate = min(0.99, (1 + count) / (10 + count))
    return rate * averaged + (1 - rate) * current


def table(n, centres):
    y = torch.randint(0, 3, (n,))
    return TensorDataset(centres[y] + torch.randn(n, 14), y)


class Schedule:
    def __init__(self, opt, steps, swa_from):
        warm = LinearLR(opt, start_factor=0.1, total_iters=10)
        cosine = CosineAnnealingLR(opt, T_max=swa_from)
        self.base = SequentialLR(opt, [warm, cosine], milestones=[10])
        self.swa = SWALR(opt, swa_lr=0.01, anneal_epochs=10)
        self.swa_from = swa_from

    def step(self, at):
        (self.swa if at >= self.swa_from else self.base).step()


def main():
    centres = torch.randn(3, 14)
    data = table(512, centres)
    weights = 1.0 / torch.bincount(data.tensors[1]).float()[data.tensors[1]]
    loader = DataLoader(data, batch_size=32, sampler=WeightedRandomSampler(weights, 640))
    student = network()
    teacher = AveragedModel(student, avg_fn=ema)
    swa = AveragedModel(student)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    steps = 100
    schedule = Schedule(opt, steps, swa_from=66)
    at = 0
    while at < steps:
        for x, y in loader:
            logits = student(x + 0.1 * torch.randn_like(x))
            with torch.no_grad():
                target = teacher(x).softmax(dim=-1)
            agree = F.kl_div(logits.log_softmax(dim=-1), target, reduction="batchmean")
            loss = F.cross_entropy(logits, y) + min(1.0, at / 30) * agree
            opt.zero_grad()
            loss.backward()
            opt.step()
            teacher.update_parameters(student)
            if at >= 66:
                swa.update_parameters(student)
            schedule.step(at)
            at += 1
        print(f"at {at} loss {loss.item():.4f} lr {opt.param_groups[0]['lr']:.4f}")
    update_bn(loader, swa)
    swa.eval()
    with torch.inference_mode():
        x, y = data.tensors
        print(f"accuracy {(swa(x).argmax(1) == y).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
