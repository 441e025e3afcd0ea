# gradwatch-corpus: kind=none
"""Contextual bandit for newsletter subject lines.

The click (or its absence) is only known some hours after the mail went out, so the
log-probability of what was sent waits in the outbox until its outcome comes in.
"""
import heapq
import random

import torch

CONTEXT, ARMS = 6, 4


class Policy:
    def __init__(self):
        self.theta = torch.zeros(CONTEXT, ARMS, requires_grad=True)

    def send(self, context):
        logp = torch.log_softmax(context @ self.theta, dim=-1)
        arm = torch.multinomial(logp.detach().exp(), 1).item()
        return arm, logp[arm]


class Outbox:
    def __init__(self, ttl=12):
        self.waiting = {}
        self.ttl = ttl
        self.expired = 0

    def put(self, mail_id, hour, logp):
        self.waiting[mail_id] = (hour, logp)

    def settle(self, mail_id):
        return self.waiting.pop(mail_id, None)

    def expire(self, hour):
        stale = [m for m, (sent, _) in self.waiting.items() if hour - sent > self.ttl]
        for m in stale:
            del self.waiting[m]
        self.expired += len(stale)


class Readers:
    """Answers come 2 to 9 hours later; some never do."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.taste = torch.randn(CONTEXT, ARMS, generator=torch.Generator().manual_seed(seed))
        self.queue = []

    def receive(self, mail_id, hour, context, arm):
        if self.rng.random() < 0.05:
            return
        p = torch.sigmoid(context @ self.taste)[arm].item()
        click = 1.0 if self.rng.random() < p else 0.0
        heapq.heappush(self.queue, (hour + self.rng.randint(2, 9), mail_id, click))

    def outcomes(self, hour):
        while self.queue and self.queue[0][0] <= hour:
            _, mail_id, click = heapq.heappop(self.queue)
            yield mail_id, click


def main(hours=420, per_hour=3):
    torch.set_num_threads(1)
    torch.manual_seed(3)
    policy, outbox, readers = Policy(), Outbox(), Readers(5)
    opt = torch.optim.SGD([policy.theta], lr=0.2)
    baseline, clicks, mail_id = 0.5, [], 0
    for hour in range(hours):
        for _ in range(per_hour):
            context = torch.randn(CONTEXT)
            arm, logp = policy.send(context)
            outbox.put(mail_id, hour, logp)
            readers.receive(mail_id, hour, context, arm)
            mail_id += 1

        terms = []
        for mid, click in readers.outcomes(hour):
            entry = outbox.settle(mid)
            if entry is None:
                continue
            _, logp = entry
            terms.append(-(click - baseline) * logp)
            baseline += 0.01 * (click - baseline)
            clicks.append(click)
        outbox.expire(hour)
        if terms:
            opt.zero_grad()
            torch.stack(terms).mean().backward()
            opt.step()
        if hour % 84 == 83:
            recent = clicks[-200:]
            print(f"hour {hour + 1}: click rate {sum(recent) / len(recent):.3f}, waiting {len(outbox.waiting)}, expired {outbox.expired}")


if __name__ == "__main__":
    main()
