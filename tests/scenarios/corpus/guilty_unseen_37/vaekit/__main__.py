# gradwatch-corpus: kind=graph-held
# holder: self.sum | meter.sum | meters["loss"].sum | self.meters["loss"].sum | engine.meters["loss"].sum
# first-bad: 1
from .engine import Engine
from .model import VAE


def main():
    import torch
    torch.set_num_threads(1)
    torch.manual_seed(8)
    g = torch.Generator().manual_seed(8)
    data = torch.rand(640, 30, generator=g).round()
    engine = Engine(VAE(30, 24, 4), warmup=60)
    for epoch in range(3):
        engine.train_epoch(data[torch.randperm(len(data))], batch=20)
        print(f"[epoch {epoch}] {engine.report()}")


if __name__ == "__main__":
    main()
