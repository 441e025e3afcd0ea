# gradwatch-corpus: kind=graph-held
# holder: G_losses
# first-bad: 1
import torch

from .loop import train


def main():
    torch.manual_seed(11)
    g_hist, d_hist = train()
    g = torch.stack(g_hist).detach()
    print(f"final G {g[-50:].mean():.3f}  final D {sum(d_hist[-50:]) / 50:.3f}")


if __name__ == "__main__":
    main()
