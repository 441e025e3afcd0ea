# gradwatch-corpus: kind=graph-chain
# holder: state.level | carry.level | self.level
# first-bad: 1
import torch

from forecaster import Carry, init_params, loss_fn, sgd
from signals import windows


def main(steps=600):
    params = init_params(seed=2, width=40)
    carry = Carry.zeros(batch=12, width=40)
    for step, (past, nxt) in enumerate(windows(steps, batch=12)):
        loss, carry = loss_fn(params, carry, past, nxt)
        grads = torch.autograd.grad(loss, list(params.values()))
        params = sgd(params, grads, lr=0.02)
        carry = carry.stop_gradient()
        if step % 100 == 0:
            print(f"step {step} mse {loss.item():.4f}")


if __name__ == "__main__":
    main()
