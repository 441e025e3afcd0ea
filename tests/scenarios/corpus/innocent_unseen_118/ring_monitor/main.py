# gradwatch-corpus: kind=none
import torch

from lib import data, loop, nets


def run(total=350):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    vae = nets.TinyVAE(20, 3)
    trainer = loop.VaeLoop(vae, lr=2e-3, slots=10)
    for x in data.stream(total):
        trainer.advance(x)
        if trainer.step % 70 == 0:
            print(trainer.status())


if __name__ == "__main__":
    run()
