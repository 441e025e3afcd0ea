# gradwatch-corpus: kind=graph-chain
# holder: self.mean | baseline.mean | trainer.baseline.mean | self.baseline.mean
# first-bad: 51
# notice: 5
"""Contextual bandit for promotion slots, trained with an actor-critic objective."""
import torch

from agent import Agent
from baselines import NoBaseline
from callbacks import PeriodicEval, PrintProgress
from env import PromoEnv
from optim import SignMomentum
from trainer import BanditTrainer


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(3)
    env = PromoEnv(n_context=6, n_arms=4, batch=16)
    agent = Agent(env.n_context, env.n_arms, hidden=16)
    trainer = BanditTrainer(
        agent, env,
        optimizer=SignMomentum(agent.parameters(), lr=1e-3),
        baseline=NoBaseline(),
        callbacks=[PeriodicEval(every=50), PrintProgress(every=60)],
    )
    trainer.run(steps=230)
    print("final reward", round(trainer.last_reward, 3))


if __name__ == "__main__":
    main()
