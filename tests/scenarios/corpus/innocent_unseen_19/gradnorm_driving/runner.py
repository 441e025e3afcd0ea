import torch


class Runner:
    def __init__(self, net, balancer, lr):
        self.net = net
        self.balancer = balancer
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.trace = []

    def step(self, batch):
        losses = self.net.losses(*batch)
        total = self.balancer.objective(losses)
        self.balancer.adjust(losses, self.net.last_shared.weight)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return losses.detach()

    def run(self, batches, iterations, report):
        best = None
        for i, batch in zip(range(1, iterations + 1), batches):
            losses = self.step(batch)
            best = losses if best is None else torch.minimum(best, losses)
            self.trace.append(losses.tolist())
            if i % report == 0:
                w = [round(v, 2) for v in self.balancer.w.tolist()]
                n = [round(v, 3) for v in self.balancer.norms.tolist()]
                print(i, "weights", w, "norms", n, "best", [round(b, 3) for b in best.tolist()])
