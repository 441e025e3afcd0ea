# gradwatch-corpus: kind=second-backward
# holder: self.penalty | graph.penalty | self.graph.penalty
# first-bad: 1
"""Retail price model, migrated from tf.Session."""
import torch

from graph import Graph, PricingNet
from session import Session


def make_data(n, n_products, n_features):
    gen = torch.Generator().manual_seed(40)
    product = torch.randint(n_products, (n,), generator=gen)
    features = torch.randn(n, n_features, generator=gen)
    base = torch.randn(n_products, generator=gen)
    slope = torch.randn(n_features, generator=gen) * 0.3
    noise = 0.1 * torch.randn(n, generator=gen)
    log_price = base[product] + features @ slope + noise
    return product, features, log_price


def feeds(data, size):
    product, features, log_price = data
    while True:
        pick = torch.randint(len(product), (size,))
        yield {
            "product": product[pick],
            "features": features[pick],
            "log_price": log_price[pick],
        }


def main():
    torch.manual_seed(0)
    n_products = 25
    group = torch.randint(5, (n_products,))
    similarity = (group[:, None] == group[None, :]).float()
    similarity.fill_diagonal_(0.0)
    net = PricingNet(n_products, 6)
    graph = Graph(net, l2=1e-5, similarity=similarity, tie=1e-3)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.05)
    data = make_data(2000, n_products, 6)
    stream = feeds(data, 64)
    with Session(graph, optimizer) as sess:
        for _ in range(100):
            out = sess.run(feed_dict=next(stream))
            if sess.step % 20 == 0:
                print(sess.step, out)


if __name__ == "__main__":
    main()
