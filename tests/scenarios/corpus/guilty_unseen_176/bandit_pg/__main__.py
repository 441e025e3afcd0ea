# gradwatch-corpus: kind=graph-held
# holder: self.rounds | log.rounds
# first-bad: 1
import torch

from .agent import PolicyGradientAgent
from .envs import ContextualBandit
from .memory import Round, RoundLog

DIM, ARMS, BATCH, ROUNDS = 10, 5, 24, 550


def main() -> None:
    torch.manual_seed(9)
    env = ContextualBandit(DIM, ARMS, seed=33)
    agent = PolicyGradientAgent(DIM, ARMS)
    opt = torch.optim.Adam(agent.parameters(), lr=5e-3)
    log = RoundLog()
    for k in range(ROUNDS):
        ctx = env.contexts(BATCH)
        policy = agent(ctx)
        arm = policy.sample()
        reward = env.pull(ctx, arm)
        loss = agent.loss(policy, arm, reward)
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.add(Round(ctx, policy, arm, reward))
        if k % 110 == 0:
            print(f"round {k:4d} regret {log.recent_regret():.3f} loss {loss.item():+.3f}")


if __name__ == "__main__":
    main()
