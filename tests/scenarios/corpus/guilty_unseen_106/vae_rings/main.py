# gradwatch-corpus: kind=graph-held
# holder: self.total | m.total | meter.total | logger.meters["kl"].total
# first-bad: 1
# notice: 8
import torch

from engine import train_one_epoch
from models import VAE
from rings import RingLoader


def main():
    torch.set_num_threads(1)
    torch.manual_seed(99)
    model = VAE(dim=16, hidden=48, latent=3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    warm = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda it: min(1.0, (it + 1) / 50))
    loader = RingLoader(batch_size=32, batches=500)
    stats = train_one_epoch(model, loader, optimizer, warm, print_freq=100)
    print("averaged stats:", stats)
    with torch.no_grad():
        print("sample range", model.dec(torch.randn(64, 3)).abs().max().item())


if __name__ == "__main__":
    main()
