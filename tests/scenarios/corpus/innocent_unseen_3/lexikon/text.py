import random


def novel(seed=0, topics=14, words=80):
    """an endless text: topic by topic, later chapters know more words; ends up at topics*words words"""
    r = random.Random(seed)
    chapter = 0
    while True:
        chapter += 1
        open_topics = min(topics, 1 + chapter // 14)
        t = r.randrange(open_topics)
        yield [f"t{t}w{min(int(r.expovariate(1 / 18)), words - 1)}" for _ in range(60)]
