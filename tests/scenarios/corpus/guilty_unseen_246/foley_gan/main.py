# gradwatch-corpus: kind=second-backward
# holder: self.pool | self.pool.clips | pool.clips | studio.pool.clips | self.clips
# first-bad: 1
import torch

from pool import ClipPool
from studio import Studio


def main():
    torch.manual_seed(9)
    studio = Studio(latent=12, length=64, pool=ClipPool(limit=48, seed=9))
    for step in range(90):
        stats = studio.play_round(batch=16)
        if step % 30 == 0:
            print(f"round {step} critic {stats.critic:.3f} maker {stats.maker:.3f}")


if __name__ == "__main__":
    main()
