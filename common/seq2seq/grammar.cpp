#include "seq2seq/grammar.hpp"

#include "seq2seq/batches.hpp"
#include "seq2seq/lexicon.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <set>

namespace seq2seq {
namespace {

// A word of the translation and the English words it translates.
struct FrenchWord {
    std::string text;
    std::vector<std::size_t> from;
};
using French = std::vector<FrenchWord>;

struct Agreement {
    bool plural = false, feminine = false;
    std::size_t form() const { return (plural ? 2U : 0U) + (feminine ? 1U : 0U); }
};

// A sentence while it is made: English grows as its words are said, and every function returns the
// French for what it said, to be placed where French wants it.
class Speaker {
public:
    Speaker(std::uint64_t seed, std::size_t depth) : engine_(seed), depth_(depth) {}

    SentencePair sentence() {
        French french = clauses();
        append(french, word(".", "."));
        SentencePair pair;
        for (std::size_t i = 0; i + 1 < english_.size(); ++i) {
            const bool vowel = std::string("aeiou").find(english_[i + 1][0]) != std::string::npos;
            english_[i] = english_[i] == "a" && vowel ? "an" : english_[i];
        }
        pair.source = english_;
        for (FrenchWord& w : spell(std::move(french))) {
            pair.target.push_back(w.text);
            pair.alignment.push_back(w.from);
        }
        return pair;
    }

private:
    bool chance(double p) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < p; }

    template <class List>
    const auto& any(const List& list) {
        return list[engine_() % std::size(list)];
    }

    // Entry i with probability ∝ 1 / (i + 3).
    template <class List>
    const auto& common(const List& list) {
        double total = 0;
        for (std::size_t i = 0; i < std::size(list); ++i) {
            total += 1.0 / static_cast<double>(i + 3);
        }
        double left = static_cast<double>(engine_() >> 11) * 0x1p-53 * total;
        for (std::size_t i = 0; i + 1 < std::size(list); ++i) {
            left -= 1.0 / static_cast<double>(i + 3);
            if (left < 0) {
                return list[i];
            }
        }
        return list[std::size(list) - 1];
    }

    static void append(French& to, const French& more) {
        to.insert(to.end(), more.begin(), more.end());
    }

    // Says English words; all of the French ones translate all of them.
    French word(const std::string& english, const std::string& french) {
        std::vector<std::size_t> from;
        for (const std::string& said : split(english)) {
            from.push_back(english_.size());
            english_.push_back(said);
        }
        French result;
        for (const std::string& text : split(french)) {
            result.push_back({text, from});
        }
        return result;
    }

    // when S, S → S quand S;  S because S;  S
    French clauses() {
        if (depth_ > 0 && chance(0.25)) {
            --depth_;
            const French when = word("when", "quand");
            const French first = clause();
            word(",", "");
            French result = clauses();
            append(result, when);
            append(result, first);
            return result;
        }
        French result = clause();
        while (depth_ > 0 && chance(0.3)) {
            --depth_;
            const auto& conjunction = any(lexicon::conjunctions);
            append(result, word(conjunction.english, conjunction.french));
            append(result, clause());
        }
        return result;
    }

    // The man sees her today → Aujourd'hui l'homme la voit
    French clause() {
        Agreement subject;
        French body = chance(0.2) ? subject_pronoun(subject) : noun_phrase(subject);
        append(body, verb_phrase(subject));
        if (chance(0.2)) {
            const auto& time = any(lexicon::times);
            French result = word(time.english, time.french);
            append(result, body);
            return result;
        }
        return body;
    }

    French subject_pronoun(Agreement& agreement) {
        agreement.plural = chance(0.3);
        agreement.feminine = !agreement.plural && chance(0.5);
        return agreement.plural     ? word("they", "ils")
               : agreement.feminine ? word("she", "elle")
                                    : word("he", "il");
    }

    French noun_phrase(Agreement& agreement) {
        const lexicon::Noun& noun = common(lexicon::nouns);
        agreement.plural = chance(0.35);
        agreement.feminine = noun.feminine;
        French result = determiner(agreement);
        French after;
        const double p = 0.35;
        for (int n = 0; n < 2 && chance(n == 0 ? p : p / 2); ++n) {
            const lexicon::Adjective& adjective = common(lexicon::adjectives);
            const French french = word(adjective.english, adjective.french[agreement.form()]);
            if (adjective.before_noun) {
                append(result, french);
            } else { // of two that follow, the one nearer to the noun stays so
                after.insert(after.begin(), french.begin(), french.end());
            }
        }
        append(result, agreement.plural ? word(noun.plural, noun.fr_plural)
                                        : word(noun.singular, noun.fr_singular));
        append(result, after);
        if (depth_ > 0 && chance(0.15)) {
            --depth_;
            Agreement other;
            append(result, word("of", "de"));
            append(result, noun_phrase(other));
        } else if (depth_ > 0 && chance(0.12)) {
            --depth_;
            append(result, word("who", "qui"));
            append(result, verb_phrase(agreement));
        }
        return result;
    }

    French determiner(const Agreement& agreement) {
        const auto form = agreement.form();
        const auto say = [&](const char* one, const char* many,
                             const std::array<const char*, 3>& french) {
            return word(agreement.plural ? many : one, french[std::min<std::size_t>(form, 2)]);
        };
        switch (engine_() % 8) {
        case 0:
        case 1:
            return say("a", "some", {"un", "une", "des"});
        case 2:
            return say("this", "these", {"ce", "cette", "ces"});
        case 3:
            return say("my", "my", {"mon", "ma", "mes"});
        default:
            return say("the", "the", {"le", "la", "les"});
        }
    }

    // Everything after the subject: [ne] [object pronoun] verb [pas] [adverb] [object] [place]
    French verb_phrase(const Agreement& subject) {
        if (chance(0.2)) {
            return predicate(subject);
        }
        const lexicon::Verb& verb = common(lexicon::verbs);
        const bool future = chance(0.25), negated = chance(0.25);
        French ne, pas, adverb, object;
        std::vector<std::size_t> auxiliary; // "will", which says the tense
        const std::size_t first = english_.size();
        if (future) {
            english_.push_back("will");
        } else if (negated) {
            english_.push_back(subject.plural ? "do" : "does");
        }
        for (std::size_t i = first; i < english_.size() && future; ++i) {
            auxiliary.push_back(i);
        }
        if (negated) {
            ne = word("not", "ne");
            pas = {{"pas", ne[0].from}};
        }
        if (chance(0.2)) {
            const auto& chosen = any(lexicon::adverbs);
            adverb = word(chosen.english, chosen.french);
        }
        const bool third = !subject.plural && !future && !negated;
        French said = word(third ? verb.third : verb.base,
                           verb.french[(future ? 2U : 0U) + (subject.plural ? 1U : 0U)]);
        said[0].from.insert(said[0].from.end(), auxiliary.begin(), auxiliary.end());

        French result = ne;
        if (verb.transitive && chance(0.3)) {
            switch (engine_() % 3) {
            case 0:
                append(result, word("him", "le"));
                break;
            case 1:
                append(result, word("her", "la"));
                break;
            default:
                append(result, word("them", "les"));
            }
        } else if (verb.transitive) {
            Agreement ignored;
            object = noun_phrase(ignored);
        }
        append(result, said);
        append(result, pas);
        append(result, adverb);
        append(result, object);
        if (depth_ > 0 && chance(0.25)) {
            --depth_;
            Agreement ignored;
            const auto& preposition = any(lexicon::prepositions);
            append(result, word(preposition.english, preposition.french));
            append(result, noun_phrase(ignored));
        }
        return result;
    }

    // is not green → n'est pas verte
    French predicate(const Agreement& subject) {
        const French is = word(subject.plural ? "are" : "is", subject.plural ? "sont" : "est");
        French result, pas;
        if (chance(0.25)) {
            result = word("not", "ne");
            pas = {{"pas", result[0].from}};
        }
        append(result, is);
        append(result, pas);
        const lexicon::Adjective& adjective = common(lexicon::adjectives);
        append(result, word(adjective.english, adjective.french[subject.form()]));
        return result;
    }

    // What a word becomes through the one after it: l'homme, n'aime, bel arbre, du, des.
    static French spell(French words) {
        const auto is_vowel = [](const std::string& text) {
            for (const char* start : {"a", "e", "i", "o", "u", "é", "è", "ê", "â", "î", "ô", "œ"}) {
                if (text.rfind(start, 0) == 0) {
                    return true;
                }
            }
            return text[0] == 'h' && text.back() != '*'; // a star: the h is aspirated
        };
        static const std::array<std::array<const char*, 2>, 10> before_vowel{
            {{"le", "l'"},
             {"la", "l'"},
             {"ne", "n'"},
             {"de", "d'"},
             {"que", "qu'"},
             {"ce", "cet"},
             {"ma", "mon"},
             {"beau*", "bel"},
             {"vieux*", "vieil"},
             {"nouveau*", "nouvel"}}};
        static const std::array<std::array<const char*, 3>, 3> contracted{
            {{"de", "le", "du"}, {"de", "les", "des"}, {"de", "des", "de"}}};
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            const bool vowel = is_vowel(words[i + 1].text);
            for (const auto& rule : before_vowel) {
                if (vowel && words[i].text == rule[0]) {
                    words[i].text = rule[1];
                    break;
                }
            }
        }
        French result;
        for (FrenchWord& w : words) {
            bool joined = false;
            for (const auto& rule : contracted) {
                if (!result.empty() && result.back().text == rule[0] && w.text == rule[1]) {
                    result.back().text = rule[2];
                    result.back().from.insert(result.back().from.end(), w.from.begin(),
                                              w.from.end());
                    joined = true;
                    break;
                }
            }
            if (!joined) {
                result.push_back(w);
            }
        }
        for (FrenchWord& w : result) {
            if (w.text.back() == '*') {
                w.text.pop_back();
            }
            std::sort(w.from.begin(), w.from.end());
        }
        return result;
    }

    std::mt19937_64 engine_;
    std::size_t depth_; // how many phrases may still be nested
    Words english_;
};

} // namespace

GrammarCorpus make_grammar_corpus(const GrammarSizes& sizes, std::uint64_t seed) {
    GrammarCorpus corpus;
    std::set<Words> seen;
    std::uint64_t next = 0;
    const auto fill = [&](std::vector<SentencePair>& pairs, std::size_t n, std::size_t shortest,
                          std::size_t longest, std::size_t depth) {
        while (pairs.size() < n) {
            SentencePair pair = Speaker(mix(seed, next++, depth), depth).sentence();
            const std::size_t length = pair.source.size();
            if (length >= shortest && length <= longest && seen.insert(pair.source).second) {
                pairs.push_back(std::move(pair));
            }
        }
    };
    // The small sets first: they are the same however much is trained on.
    fill(corpus.valid, sizes.valid, 1, sizes.longest, 2);
    fill(corpus.test, sizes.test, 1, sizes.longest, 2);
    fill(corpus.long_test, sizes.long_test, sizes.long_from, sizes.long_to, 6);
    fill(corpus.train, sizes.train, 1, sizes.longest, 2);
    return corpus;
}

} // namespace seq2seq
