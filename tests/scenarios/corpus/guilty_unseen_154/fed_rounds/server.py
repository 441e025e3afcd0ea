import random


class Server:
    def __init__(self, net, clients, frac=0.5):
        self.net = net
        self.clients = clients
        self.frac = frac
        self.ledger = {}

    def aggregate(self, reports):
        total = sum(r.n for r in reports)
        avg = {}
        for k in reports[0].state:
            avg[k] = sum(r.state[k] * (r.n / total) for r in reports)
        self.net.load_state_dict(avg)

    def note(self, rnd, reports):
        self.ledger[rnd] = [(r.cid, r.loss, r.acc) for r in reports]  # <- culprit

    def round(self, rnd):
        k = max(1, int(self.frac * len(self.clients)))
        picked = random.sample(self.clients, k)
        reports = [c.fit(self.net) for c in picked]
        self.aggregate(reports)
        self.note(rnd, reports)

    def summary(self, rnd):
        rows = self.ledger[rnd]
        return (sum(float(l) for _, l, _ in rows) / len(rows),
                sum(a for _, _, a in rows) / len(rows))
