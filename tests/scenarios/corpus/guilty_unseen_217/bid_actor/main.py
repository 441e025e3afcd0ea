# gradwatch-corpus: kind=inplace-modified
# first-bad: 6
import torch

from auction import BudgetAuction
from networks import BidPolicy, SpendCritic
from updates import ActorCriticUpdater, Schedule


def main():
    torch.manual_seed(15)
    env = BudgetAuction(campaigns=32, feats=10)
    updater = ActorCriticUpdater(BidPolicy(10), SpendCritic(10), Schedule(actor_every=3, critic_warmup=6))
    obs = env.reset()
    for it in range(120):
        bid = updater.act(obs)
        nxt, reward = env.step(bid)
        logs = updater.update(obs, bid, reward, nxt)
        obs = nxt
        if it % 5 == 0:
            print(it, {k: round(v, 3) for k, v in logs.items()})


if __name__ == "__main__":
    main()
