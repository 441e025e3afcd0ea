# gradwatch-corpus: kind=graph-chain
# holder: self.belief | runner.belief
# first-bad: 1
"""Behaviour cloning of a gripper controller with a recurrent belief."""
import torch

from optim import PlainSGD, StepDecay
from policy import BeliefPolicy
from runner import CloneRunner


def main() -> None:
    torch.manual_seed(8)
    policy = BeliefPolicy(obs=10, act=4, hidden=24)
    optimizer = PlainSGD(policy.parameters(), lr=0.02)
    runner = CloneRunner(policy, optimizer, StepDecay(optimizer, every=30, factor=0.7), envs=8)
    for tick in range(90):
        err = runner.tick()
        if tick % 30 == 0:
            print(f"tick {tick} bc_error {err:.4f} lr {optimizer.lr:.4f}")


if __name__ == "__main__":
    main()
