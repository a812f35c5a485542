/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.clone.shuffle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.util.Time;

/**
 * Reduces that wait for news of spills: an entry and a parked answer for each, no thread. All that
 * wait are answered together, and then not again for a while: spills that follow each other closely
 * are told of, and fetched, together. What a reduce may be waiting for as the last thing is urgent,
 * and delayed only if there are very many to be answered. Thread-safe.
 */
@InterfaceAudience.Private
public final class SpillQuestions {
    /** Stock's limits for completion events, against a herd that starts at once. */
    private static final int MOST_UPDATES = 10_000;

    private static final int LEAST_UPDATES = 100;
    private static final int MOST_IN_ALL_ANSWERS = 3_000_000;

    /** What stock's AppMaster has to do with 2000 reduces, each of which asks once a second. */
    private static final int ANSWERS_PER_MILLI = 2;

    /** Stock's time between two questions. */
    private static final long PAUSE_MILLIS = 1000;

    private static final long NEVER = Long.MAX_VALUE;

    private final SpillRegistry registry;
    private final ScheduledExecutorService answers;
    private final int most;
    private final Map<TaskAttemptID, Question> parked = new HashMap<>();
    private int urgent;
    private long dueMillis = NEVER;
    private long lastMillis = Time.monotonicNow() - PAUSE_MILLIS;
    private int lastAnswers;

    /** How a parked question is answered, by a thread that has others to answer, too. */
    public interface Answer {
        void with(List<SpillUpdate> updates);
    }

    private record Question(int partition, int from, long askedMillis, Answer answer) {}

    /**
     * @param answers the thread that gives answers; whoever made it ends it
     * @param reduces how many the job has, at least 1
     */
    public SpillQuestions(SpillRegistry registry, ScheduledExecutorService answers, int reduces) {
        this.registry = registry;
        this.answers = answers;
        most = Math.min(MOST_UPDATES, Math.max(LEAST_UPDATES, MOST_IN_ALL_ANSWERS / reduces));
    }

    /**
     * @param reduce has one question at a time: an older one is from a connection that has broken
     * @param from how many updates it knows already
     */
    public synchronized void ask(TaskAttemptID reduce, int from, Answer answer) {
        int partition = reduce.getTaskID().getId();
        parked.put(reduce, new Question(partition, from, Time.monotonicNow(), answer));
        int news = registry.size() - from;
        if (news > 0) {
            answerSoon(from < urgent || news > most);
        }
    }

    /** There are more spills. */
    public synchronized void spills() {
        if (!parked.isEmpty()) {
            answerSoon(false);
        }
    }

    /** An attempt has ended, and what follows from that is in the registry. */
    public synchronized void ended() {
        urgent = registry.size();
        if (!parked.isEmpty()) {
            answerSoon(true);
        }
    }

    private void answerSoon(boolean isUrgent) {
        long pause = isUrgent ? lastAnswers / ANSWERS_PER_MILLI : PAUSE_MILLIS;
        long due = lastMillis + Math.min(pause, PAUSE_MILLIS);
        if (due < dueMillis) {
            dueMillis = due;
            schedule(Math.max(0, due - Time.monotonicNow()));
        }
    }

    private void schedule(long millis) {
        try {
            answers.schedule(this::answer, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The AppMaster stops, and still hears of attempts: Hadoop's dispatcher would end it
            // for this before it has unregistered, and the job would run again.
            dueMillis = NEVER;
        }
    }

    private void answer() {
        give(takeNews());
    }

    private synchronized List<Question> takeNews() {
        dueMillis = NEVER;
        int known = registry.size();
        List<Question> ready = take(question -> question.from < known);
        if (!ready.isEmpty()) {
            lastMillis = Time.monotonicNow();
            lastAnswers = ready.size();
        }
        return ready;
    }

    /**
     * Answers those who have asked before a time, so that their connections don't time out; they
     * ask again.
     */
    public void expire(long askedBeforeMillis) {
        give(takeOld(askedBeforeMillis));
    }

    private synchronized List<Question> takeOld(long askedBeforeMillis) {
        return take(question -> question.askedMillis < askedBeforeMillis);
    }

    private List<Question> take(Predicate<Question> choice) {
        List<Question> taken = new ArrayList<>();
        for (Iterator<Question> i = parked.values().iterator(); i.hasNext(); ) {
            Question question = i.next();
            if (choice.test(question)) {
                taken.add(question);
                i.remove();
            }
        }
        return taken;
    }

    private void give(List<Question> questions) {
        for (Question question : questions) {
            question.answer.with(registry.updates(question.partition, question.from, most));
        }
    }
}
