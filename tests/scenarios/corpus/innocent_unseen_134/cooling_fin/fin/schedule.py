import torch


class AdamPhase:
    def __init__(self, steps, lr):
        self.steps, self.lr = steps, lr

    def run(self, net, terms, mult):
        opt = torch.optim.Adam(net.parameters(), lr=self.lr)
        for k in range(self.steps):
            net.forget()
            c = terms.ends(net)
            loss = terms.equation(net, terms.draw()) + mult.term(c)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if k % 50 == 49:
                mult.ascend(c)
        return loss.item()


class LbfgsPhase:
    def __init__(self, steps):
        self.steps = steps

    def run(self, net, terms, mult):
        opt = torch.optim.LBFGS(net.parameters(), max_iter=12, line_search_fn="strong_wolfe")
        x = terms.draw()
        seen = []

        def closure():
            net.forget()
            opt.zero_grad()
            loss = terms.equation(net, x) + mult.term(terms.ends(net))
            loss.backward()
            seen.append(loss.item())
            return loss

        for _ in range(self.steps):
            opt.step(closure)
        net.forget()
        return seen[-1]
