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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hadoop's own map in a JVM of its own, asked for a clone that isn't made in the end. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class MapTaskTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final CloneLimits IMPATIENT = new CloneLimits(1500, PATIENCE.toMillis());

    private static final long LONGER_THAN_ALL = 10 * PATIENCE.toMillis();

    /** Megabytes of a buffer which is full at once when a spill of 1 MB begins. */
    private static final int TIGHT = 1;

    /** And of one which isn't full in any test's time. */
    private static final int ROOMY = 50;

    private static final long CLONE = 5;
    private static final byte[] NONCE = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    @TempDir private Path temp;
    private TaskJvm jvm;
    private StandInAppMaster appMaster;

    @BeforeEach
    void setUp() throws IOException {
        jvm = new TaskJvm(temp);
        appMaster = new StandInAppMaster(jvm.task());
    }

    @AfterEach
    void end() {
        jvm.close();
        appMaster.close();
    }

    @Test
    void saysWhatACloneCosts() throws Exception {
        start(TaskJvm.job());
        awaitRecords(1000);

        appMaster.order(CloneOrder.prepare(1, CLONE));
        CloneAnswer answer = appMaster.answer(CloneAnswer.Kind.ABLE);
        assertThat(answer.cloneId()).isEqualTo(CLONE);
        assertThat(answer.fileBytes()).isPositive();
        assertThat(answer.memoryBytes()).isBetween(20L << 20, 4L << 30);

        assertCompletes();
    }

    @Test
    void standsStillFromQuiesceToResumeAndGoesOn() throws Exception {
        ScriptedTool tool =
                offered(
                        """
                        listen
                        await connected
                        CLONE_LINK_BYTES_PER_MS=2500 settle && quiesce && touch frozen
                        await thaw
                        resume cloned
                        await sent
                        end 0 '' '{"freeze_ms":83.2,"early_file_bytes":40,"late_file_bytes":2,"image_bytes":1000,"precopy_ms":7.4,"transfer_ms":12.3}'
                        """);
        CloneAnswer offered = appMaster.answer(CloneAnswer.Kind.OFFERED);
        assertThat(offered.address()).isEqualTo("127.0.0.1:4711");
        assertThat(offered.paths().workDir()).isEqualTo(jvm.work.toString());
        assertThat(offered.paths().localDirs()).containsExactly(jvm.local.toString());
        assertThat(offered.paths().logDirs()).containsExactly(jvm.logs.toString());
        awaitRecords(200);

        tool.make("connected");
        await().atMost(PATIENCE).until(() -> tool.has("frozen"));
        assertStandsStill();

        tool.make("thaw");
        awaitRecords(200);
        awaitUpdates();

        tool.make("sent");
        CloneAnswer sent = appMaster.answer(CloneAnswer.Kind.SENT);
        assertThat(sent.frozenMillis()).isEqualTo(83);
        assertThat(appMaster.link).isEqualTo(2500);
        assertThat(sent.travel()).isEqualTo(new CloneTravel(42, 1000, 20));
        assertThat(sent.gateMillis()).isPositive();
        assertCompletes();
    }

    @Test
    void givesTheToolItsOwnFilesAndAKeyThatNobodyElseSees() throws Exception {
        ScriptedTool tool = offered("listen; await cancelled; end 76 'told to end' '{}'");
        appMaster.answer(CloneAnswer.Kind.OFFERED);

        assertThat(tool.read("key"))
                .isEqualTo(OneTimeKey.of(appMaster.token().getPassword(), CLONE, NONCE).hex());
        assertThat(tool.read("key-mode")).isEqualTo("600");
        assertThat(tool.read("arguments")).doesNotContain(tool.read("key"));
        assertThat(tool.read("arguments").lines())
                .contains(
                        "--pid=" + jvm.pid(),
                        "--max-freeze=9000",
                        "--file-set=" + jvm.work,
                        "--file-set=" + RunningMap.output(jvm.local.toString(), TaskJvm.ATTEMPT));
        assertThat(Files.exists(jvm.work.resolve(".clone/key"))).isFalse();

        tool.make("cancelled");
        CloneAnswer failed = appMaster.answer(CloneAnswer.Kind.FAILED);
        assertThat(failed.reason()).isEqualTo("told to end");
        await().atMost(PATIENCE).until(() -> !Files.exists(jvm.work.resolve(".clone")));
        assertCompletes();
    }

    @Test
    void goesOnWhenTheToolCanNotListen() throws Exception {
        offered("end 69 'no CRIU on this host' '{}'");
        CloneAnswer failed = appMaster.answer(CloneAnswer.Kind.FAILED);
        assertThat(failed.reason()).contains("no CRIU on this host");
        assertCompletes();
    }

    /** As argp ends with where there is help. */
    @Test
    void tellsTheToolsOwnWordAndNotItsHint() throws Exception {
        offered(
                """
                echo "criu-remote-clone serve: --max-clones takes a number, not 'many'" >&2
                echo "Try 'criu-remote-clone serve --help' for" >&2
                end 64 'more information.' '{}'
                """);
        assertThat(appMaster.answer().reason()).endsWith("takes a number, not 'many'");
        assertCompletes();
    }

    @Test
    void aLimitThatIsNoDurationCountsAsItsPreset() throws Exception {
        JobConf job = TaskJvm.job();
        job.set(CloneKeys.GATE_LIMIT, "soon");
        offered(
                job,
                "listen; settle && quiesce && resume cloned; end 0 '' '{}'",
                StandInAppMaster.PATIENT);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        appMaster.answer(CloneAnswer.Kind.SENT);
        assertThat(jvm.log())
                .contains(
                        CloneKeys.GATE_LIMIT
                                + " is no duration but 'soon'; "
                                + CloneKeys.GATE_LIMIT_DEFAULT
                                + " counts");
        assertCompletes();
    }

    @Test
    void goesOnAtOnceWhenThereIsNoTool() throws Exception {
        JobConf job = TaskJvm.job();
        job.set(CloneKeys.TOOL, "/not/there");
        start(job);
        awaitRecords(200);
        appMaster.order(
                CloneOrder.offer(
                        1, CLONE, NONCE, new CloneLimits(LONGER_THAN_ALL, LONGER_THAN_ALL)));
        CloneAnswer failed = appMaster.answer(CloneAnswer.Kind.FAILED);
        assertThat(failed.reason()).contains("/not/there", "not found");
        assertCompletes();
    }

    @Test
    void goesOnWhenTheToolIsKilledBetweenQuiesceAndResume() throws Exception {
        ScriptedTool tool =
                offered("listen; settle && quiesce && touch frozen; await now; kill -9 $$");
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        await().atMost(PATIENCE).until(() -> tool.has("frozen"));
        assertStandsStill();

        tool.make("now");
        appMaster.answer(CloneAnswer.Kind.FAILED);
        assertCompletes();
    }

    /** Nobody is there to take its answer any more. */
    @Test
    void goesOnWhenItsToolAndItsHookAreGoneBeforeItStandsStill() throws Exception {
        appMaster.leave = FreezeLeave.LATER;
        ScriptedTool tool =
                offered(
                        """
                        listen
                        sh -c "$settle" & hook=$!
                        await asked
                        kill -9 $hook
                        wait $hook
                        touch gone
                        end 70 'killed' '{}'
                        """);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        awaitLog("waits until it is worth while");
        tool.make("asked");
        await().atMost(PATIENCE).until(() -> tool.has("gone"));
        appMaster.leave = FreezeLeave.GRANTED;
        assertThat(appMaster.answer().reason()).isEqualTo("killed");
        awaitRecords(200);
        assertCompletes();
    }

    /** While the tool takes memory, which may take long. */
    @Test
    void answersWithItsGateOpenBetweenSettleAndQuiesce() throws Exception {
        ScriptedTool tool =
                offered(
                        """
                        listen
                        settle && touch settled
                        await taken
                        quiesce && touch frozen
                        await thaw
                        resume cloned
                        end 0 '' '{}'
                        """);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        await().atMost(PATIENCE).until(() -> tool.has("settled"));
        long position = jvm.position();
        awaitUpdates();
        awaitUpdates();
        assertThat(jvm.position()).isEqualTo(position);

        tool.make("taken");
        assertStandsStillUntilItHasLeft(tool);
    }

    @Test
    void closesNoGateBeforeItStandsStill() throws Exception {
        ScriptedTool tool =
                offered("listen; quiesce && touch frozen; resume aborted; end 68 'no' '{}'");
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        assertThat(appMaster.answer().reason()).isEqualTo("it doesn't stand still");
        assertThat(tool.has("frozen")).isFalse();
        awaitUpdates();
        assertCompletes();
    }

    @Test
    void goesOnWhenACallIsUnderWayForTooLong() throws Exception {
        ScriptedTool tool = quiescingWhileACallIsHeld(withAThread());
        CloneAnswer own = appMaster.answer();
        assertThat(own.kind())
                .as("nothing is wrong with clones")
                .isEqualTo(CloneAnswer.Kind.REFUSED);
        assertThat(own.reason()).startsWith("calls under way didn't end in ");
        assertThat(tool.has("frozen")).isFalse();
        appMaster.statusUpdates.letGo();
        awaitRecords(200);
        awaitUpdates();
        assertCompletes();
    }

    /** A clone would know nothing of such a file, or have it not as it is. */
    @Test
    void isNotStoppedWhenAFileIsChangedWhileItsOutputIsToStandStill() throws Exception {
        JobConf job = TaskJvm.job();
        job.set(CloneKeys.GATE_LIMIT, "1m");
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, LateChangeMapper.class, Mapper.class);
        ScriptedTool tool = quiescingWhileACallIsHeld(job);
        await().atMost(PATIENCE)
                .until(() -> Files.exists(jvm.work.resolve(LateChangeMapper.CHANGED)));
        appMaster.statusUpdates.letGo();

        assertThat(appMaster.answer().reason()).startsWith("files in HDFS were changed");
        assertThat(tool.has("frozen")).isFalse();
        awaitRecords(200);
        awaitUpdates();
        assertCompletes();
    }

    /** Whose tasks are LocalJobRunner's, which looks for outputs where stock has them. */
    @Test
    void mayRunAJobOfItsOwn() throws Exception {
        JobConf job = TaskJvm.job();
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, NestedJobMapper.class, Mapper.class);
        start(job);
        awaitRecords(200);
        assertThat(jvm.work.resolve(NestedJobMapper.OUTPUT).resolve("part-r-00000"))
                .hasContent("0\tb\n2\ta");

        appMaster.order(CloneOrder.prepare(1, CLONE));
        appMaster.answer(CloneAnswer.Kind.ABLE);
        assertCompletes();
    }

    /** It might be a clone already, which would go on as its original. */
    @Test
    void goesOnOnlyWhenItHasUnderstoodThatItIsTheOriginal() throws Exception {
        ScriptedTool tool =
                offered(
                        """
                        listen
                        settle && quiesce && sh -c "${resume/resumed/nonsense}" && touch frozen
                        await thaw
                        resume cloned
                        end 0 '' '{}'
                        """);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        awaitLog("unexpected: nonsense");
        assertStandsStillUntilItHasLeft(tool);
    }

    /** The directory can't be deleted while somebody makes files there. */
    @Test
    void saysThatItsCloneHasLeftWhateverIsLeftBehind() throws Exception {
        ScriptedTool tool =
                offered(
                        """
                        listen
                        settle && quiesce; resume cloned
                        {
                            while [ ! -e tidied ] && kill -0 "$pid"; do
                                : >"${report%/*}/left-$((left++))"
                            done
                        } 2>errors &
                        end 0 '' '{}'
                        """);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        appMaster.answer(CloneAnswer.Kind.SENT);
        tool.make("tidied");
        assertCompletes();
    }

    @Test
    void goesOnWhenThereIsNoMemoryForItsImage() throws Exception {
        offered("listen; settle; resume aborted; end 73 'no memory' '{}'");
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        assertThat(appMaster.answer())
                .as("others may be smaller")
                .hasToString("REFUSED clone " + CLONE + ": no memory");
        awaitRecords(200);
        awaitUpdates();
        assertCompletes();
    }

    @Test
    void isNotStoppedWhenTheAppMasterWantsNoCloneAnyMore() throws Exception {
        appMaster.leave = FreezeLeave.REFUSED;
        ScriptedTool tool =
                offered(
                        """
                        listen
                        settle && quiesce && touch frozen
                        resume aborted
                        end 70 'the hook said no' '{}'
                        """);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        assertThat(appMaster.answer().reason()).isEqualTo("the AppMaster wants no clone any more");
        assertThat(tool.has("frozen")).isFalse();
        assertCompletes();
    }

    @Test
    void runsOnUntilItsCloneIsWorthWhile() throws Exception {
        appMaster.leave = FreezeLeave.LATER;
        ScriptedTool tool =
                offered("listen; settle && quiesce && touch frozen; resume cloned; end 0 '' '{}'");
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        awaitLog("waits until it is worth while");
        awaitRecords(200);
        assertThat(tool.has("frozen")).isFalse();

        appMaster.leave = FreezeLeave.GRANTED;
        appMaster.answer(CloneAnswer.Kind.SENT);
        assertThat(tool.has("frozen")).isTrue();
        assertCompletes();
    }

    /** Its container begins the task at zero then: there will be no clone any more. */
    @Test
    void isNoLongerAskedForWhenItsCloneWasNotWorthWhileForLong() throws Exception {
        appMaster.leave = FreezeLeave.LATER;
        ScriptedTool tool = offered("listen; settle && touch settled; end 70 'no' '{}'", IMPATIENT);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        assertThat(appMaster.answer().reason())
                .isEqualTo("it was no straggler any more when it could have been frozen");
        assertThat(tool.has("settled")).isFalse();
        awaitRecords(200);
        assertCompletes();
    }

    @Test
    void endsWithItsToolWhileItsCloneIsNotWorthWhile() throws Exception {
        appMaster.leave = FreezeLeave.LATER;
        ScriptedTool tool = offered("listen; settle && quiesce || touch vetoed; end 70 'no' '{}'");
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        awaitLog("waits until it is worth while");
        assertThat(tool.has("vetoed")).isFalse();
        assertCompletes();
        await().atMost(PATIENCE).until(() -> tool.has("vetoed"));
        // It writes to what is deleted after this test.
        Path directory = jvm.work.resolve(".clone");
        await().atMost(PATIENCE)
                .until(() -> !Files.exists(directory) || Files.exists(directory.resolve("ended")));
    }

    /** As on a slow host: without holding it a spill would begin as the one before it ends. */
    @Test
    void standsStillAtARecordBoundaryUntilALongSpillHasEnded() throws Exception {
        ScriptedTool tool = whileSpilling(ROOMY, CloneKeys.TIME_LIMIT_DEFAULT);
        awaitLog("Waits for its spill to end");
        awaitUpdates();
        assertThat(tool.has("frozen")).isFalse();

        jvm.hurry();
        assertStandsStillUntilItHasLeft(tool);
    }

    @Test
    void isJudgedAgainAfterALongSpill() throws Exception {
        ScriptedTool tool = whileSpilling(ROOMY, CloneKeys.TIME_LIMIT_DEFAULT);
        awaitLog("Waits for its spill to end");
        appMaster.leave = FreezeLeave.REFUSED;
        // Longer than a judgement is good for.
        await().atMost(PATIENCE).during(Duration.ofMillis(1100)).until(() -> !tool.has("frozen"));
        jvm.hurry();
        assertThat(appMaster.answer().reason()).isEqualTo("the AppMaster wants no clone any more");
        assertThat(tool.has("frozen")).isFalse();
        assertCompletes();
    }

    @Test
    void runsOnWhenASpillTakesTooLong() throws Exception {
        ScriptedTool tool = whileSpilling(ROOMY, "2s");
        assertThat(appMaster.answer().reason())
                .startsWith("it didn't come to a record boundary in ");
        assertThat(tool.has("frozen")).isFalse();
        assertThat(jvm.log()).containsOnlyOnce("Waits for its spill");
        jvm.hurry();
        assertCompletes();
    }

    @Test
    void runsOnWhenItsSpillOutlastsThePatienceOfItsClone() throws Exception {
        ScriptedTool tool = whileSpilling(ROOMY, CloneKeys.TIME_LIMIT_DEFAULT, IMPATIENT);
        assertThat(appMaster.answer().reason())
                .startsWith("it didn't come to a record boundary in ");
        assertThat(tool.has("frozen")).isFalse();
        awaitRecords(200);
        jvm.hurry();
        assertCompletes();
    }

    /** It takes a minute, and may take half of one. */
    @Test
    void runsOnOnceItsSpillIsForeseenToTakeTooLong() throws Exception {
        JobConf job = TaskJvm.job();
        job.set("fs.file.impl", SlowDisk.class.getName());
        ScriptedTool tool =
                whileSpilling(job, ROOMY, CloneKeys.TIME_LIMIT_DEFAULT, StandInAppMaster.PATIENT);
        assertThat(appMaster.answer().toString())
                .startsWith("REFUSED clone 5: its spill would take another ");
        assertThat(tool.has("frozen")).isFalse();
        assertThat(jvm.log()).containsOnlyOnce("Waits for its spill");
        awaitRecords(200);
        jvm.hurry();
        assertCompletes();
    }

    /** The rest of its buffer is full long before: it stands still between two boundaries. */
    @Test
    void waitsForALongSpillThatKeepsItFromItsNextRecordBoundary() throws Exception {
        ScriptedTool tool = whileSpilling(TIGHT, CloneKeys.TIME_LIMIT_DEFAULT);
        awaitLog("settle");
        await().atMost(PATIENCE)
                .during(Duration.ofMillis(1500))
                .until(() -> !jvm.log().contains("No clone"));
        assertThat(jvm.log()).doesNotContain("Waits for its spill");
        assertThat(tool.has("frozen")).isFalse();

        jvm.hurry();
        assertStandsStillUntilItHasLeft(tool);
    }

    /** A published spill's file isn't the attempt's own, and is open while that is combined. */
    @Test
    void canBeClonedWhileASpillIsWrittenThatWillBePublished() throws Exception {
        try (SpillServer spills =
                new SpillServer(TaskJvm.ATTEMPT.getJobID().toString(), appMaster.token())) {
            JobConf job = TaskJvm.job();
            job.setNumMapTasks(TaskJvm.ATTEMPT.getTaskID().getId() + 1);
            job.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, SpillCollector.class.getName());
            // Buffers of 2 and 1 MB.
            job.setInt(MRJobConfig.IO_SORT_MB, 3);
            job.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, 0.8f);
            job.setClass(MRJobConfig.COMBINE_CLASS_ATTR, HeldCombiner.class, Reducer.class);
            jvm.start(
                    appMaster, job, List.of("env", SpillProtocol.ADDRESS + "=" + spills.address()));
            await().atMost(PATIENCE).until(this::hasASpillOpen);

            appMaster.order(CloneOrder.prepare(1, CLONE));
            CloneAnswer answer = appMaster.answer(CloneAnswer.Kind.ABLE);
            assertThat(hasASpillOpen()).as("it is still being combined").isTrue();

            jvm.hurry();
            jvm.endInput();
            assertThat(jvm.exitCode()).as(jvm.log()).isZero();
            assertThat(spills.registry.succeeded(TaskJvm.ATTEMPT, 1)).isTrue();
        }
    }

    private boolean hasASpillOpen() throws IOException {
        String output = jvm.local.resolve("output").toString();
        return OpenFiles.of(jvm.pid()).stream().anyMatch(file -> file.startsWith(output));
    }

    /** An offer whose tool asks for a freeze in the midst of a spill that takes its time. */
    private ScriptedTool whileSpilling(int sortMegabytes, String timeLimit) throws Exception {
        return whileSpilling(sortMegabytes, timeLimit, StandInAppMaster.PATIENT);
    }

    private ScriptedTool whileSpilling(int sortMegabytes, String timeLimit, CloneLimits limits)
            throws Exception {
        JobConf job = TaskJvm.job();
        job.setOutputKeyComparatorClass(SlowOrder.class);
        return whileSpilling(job, sortMegabytes, timeLimit, limits);
    }

    private ScriptedTool whileSpilling(
            JobConf job, int sortMegabytes, String timeLimit, CloneLimits limits) throws Exception {
        ScriptedTool tool =
                new ScriptedTool(
                        temp.resolve("tool"),
                        """
                        listen
                        settle && quiesce || { resume aborted; end 70 'the hook said no' '{}'; }
                        touch frozen
                        await thaw
                        resume cloned
                        end 0 '' '{}'
                        """);
        job.set(CloneKeys.TOOL, tool.path());
        job.set(CloneKeys.GATE_LIMIT, "1100ms"); // a spill's time doesn't count
        job.set(CloneKeys.BOUNDARY_PATIENCE, "0");
        job.set(CloneKeys.TIME_LIMIT, timeLimit);
        job.setInt(MRJobConfig.IO_SORT_MB, sortMegabytes);
        job.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, 0.99f / sortMegabytes);
        start(job);
        awaitLog("Spilling map output");
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, limits));
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        return tool;
    }

    @Test
    void canBeAskedAgainAfterACloneThatCameToNothing() throws Exception {
        offered("listen; settle; quiesce; resume aborted; end 66 'the peer left' '{}'");
        for (int serial = 2; serial < 4; serial++) {
            appMaster.answer(CloneAnswer.Kind.OFFERED);
            assertThat(appMaster.answer().reason()).isEqualTo("the peer left");
            awaitRecords(200);
            appMaster.order(
                    CloneOrder.offer(serial, CLONE + serial, NONCE, StandInAppMaster.PATIENT));
        }
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        assertThat(appMaster.answer().reason()).isEqualTo("the peer left");
        assertCompletes();
    }

    /** YarnChild's handler of uncaught errors would end the process. */
    @Test
    void goesOnWhenOurOwnCodeCanNotBeLinked() throws Exception {
        jvm.withoutJar("jackson-databind");
        offered("listen; settle; quiesce; resume cloned; end 0 '' '{}'");
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        assertThat(appMaster.answer().reason()).contains("NoClassDefFoundError");
        awaitRecords(200);
        assertCompletes();
    }

    /** As in the midst of a rolling upgrade. */
    @Test
    void goesOnWithoutClonesUnderAnAppMasterOfAnotherVersion() throws Exception {
        appMaster.close();
        appMaster = StandInAppMaster.ofAnotherVersion(jvm.task());
        start(TaskJvm.job());
        awaitLog("No more orders for");
        assertThat(jvm.log()).contains("version");
        assertThat(jvm.log()).doesNotContain("nobody was expected");
        awaitRecords(200);
        assertCompletes();
    }

    /** A clone would have to halt. */
    @Test
    void isNotOfferedIfNobodyWouldSeeWhatItsCloneChanges() throws Exception {
        jvm.withAgent(AlteringAgent.class);
        ScriptedTool tool = offered("listen; settle; resume aborted; end 70 'no' '{}'");
        CloneAnswer failed = appMaster.answer(CloneAnswer.Kind.FAILED);
        assertThat(failed.reason()).contains("nobody would see what a clone changes in HDFS");
        assertThat(tool.has("arguments")).as("it was started").isFalse();
        awaitRecords(200);
        assertCompletes();
    }

    /** Better no process than one that takes itself for another. */
    @Test
    void haltsWhenToldThatItIsACloneAndDoesNotLookSo() throws Exception {
        offered(
                "listen; settle; quiesce; echo clone container_1 > \"$(dirname \"$key_file\")/messages\"");
        assertThat(jvm.exitCode()).isEqualTo(70);
        assertThat(jvm.log()).contains("told that this is a clone, and it doesn't look so");
        assertThat(appMaster.becoming).isEmpty();
        assertThat(appMaster.done).isEmpty();
        assertThat(appMaster.errors).as("nothing is cleaned up").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "process, it has started another process",
        "thread, its thread 'mine' of org.example.UsersOwn",
        "file, its output isn't in HDFS but in file:"
    })
    void saysWhatStandsAgainstAClone(String besides, String reason) throws Exception {
        JobConf job = TaskJvm.job();
        job.set(CountedInput.BESIDES, besides);
        job.set(FileOutputFormat.OUTDIR, temp.resolve("output").toUri().toString());
        start(job);
        awaitRecords(200);
        appMaster.order(CloneOrder.prepare(1, CLONE));
        CloneAnswer able = appMaster.answer(CloneAnswer.Kind.ABLE);

        jvm.doBesides();
        appMaster.order(CloneOrder.prepare(2, CLONE));
        assertThat(appMaster.answer().toString()).startsWith("REFUSED clone 5: " + reason);
        assertCompletes();
    }

    /** Before anything is done for a clone, and only as long as it is there. */
    @Test
    void isRefusedWithAConnectionThatNobodyKnows() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            assertRefusedWith(
                    "connection",
                    Integer.toString(server.getLocalPort()),
                    "it has a connection of its own to 127.0.0.1:" + server.getLocalPort());
        }
    }

    /** A clone would write to a copy, and nobody would find it. */
    @Test
    void isRefusedWithAFileElsewhere() throws Exception {
        String file = temp.toRealPath().resolve("elsewhere").toString();
        assertRefusedWith(
                "elsewhere", file, "it writes to " + file + ", which isn't in its own directories");
    }

    private void assertRefusedWith(String besides, String where, String reason) throws Exception {
        JobConf job = TaskJvm.job();
        job.set(CountedInput.BESIDES, besides);
        job.set(CountedInput.WHERE, where);
        start(job);
        awaitRecords(200);
        jvm.doBesides();
        appMaster.order(CloneOrder.prepare(1, CLONE));
        assertThat(appMaster.answer()).hasToString("REFUSED clone 5: " + reason);
        assertCompletes();
    }

    /** It has written nothing yet; but a clone of it would write what nobody commits. */
    @Test
    void isRefusedWithACommitterThatWeDoNotKnow() throws Exception {
        JobConf job = TaskJvm.job();
        job.setClass(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, BoundOutput.class, OutputFormat.class);
        job.set(FileOutputFormat.OUTDIR, temp.resolve("output").toUri().toString());
        start(job);
        awaitRecords(200);
        appMaster.order(CloneOrder.prepare(1, CLONE));
        assertThat(appMaster.answer()).hasToString("REFUSED clone 5: " + BoundOutput.REASON);
        assertCompletes();
    }

    @Test
    void isNotStoppedWhenSomethingStandsAgainstItMeanwhile() throws Exception {
        ScriptedTool tool =
                offered(
                        "listen; await connected; settle && quiesce && touch frozen; end 70 'no' '{}'");
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        jvm.doBesides();
        tool.make("connected");
        assertThat(appMaster.answer().reason())
                .contains("its thread 'mine' of org.example.UsersOwn", "runs");
        assertThat(tool.has("frozen")).isFalse();
        assertCompletes();
    }

    /** Its thread is a known one: it ends before the freeze, and begins again. */
    @Test
    void closesAndOpensWhatItsUserHasRegistered() throws Exception {
        try (ConnectionServer server = new ConnectionServer()) {
            ScriptedTool tool =
                    start(
                            "listen; await connected; settle && quiesce && touch frozen; await thaw; resume cloned; end 0 '' '{}'",
                            server);
            appMaster.order(CloneOrder.prepare(1, CLONE));
            appMaster.answer(CloneAnswer.Kind.ABLE);
            appMaster.order(CloneOrder.offer(2, CLONE, NONCE, StandInAppMaster.PATIENT));
            appMaster.answer(CloneAnswer.Kind.OFFERED);
            tool.make("connected");
            await().atMost(PATIENCE).until(() -> tool.has("frozen"));
            await().atMost(PATIENCE).until(() -> server.open() == 0); // as the server sees it
            assertStandsStill();

            tool.make("thaw");
            appMaster.answer(CloneAnswer.Kind.SENT);
            awaitRecords(200);
            assertThat(server.users())
                    .containsExactly(TaskJvm.ATTEMPT.toString(), TaskJvm.ATTEMPT.toString());
            assertCompletes();
        }
    }

    @Test
    void isNotStoppedWhenItsUsersResourceDoesNotWantThat() throws Exception {
        try (ConnectionServer server = new ConnectionServer()) {
            ScriptedTool tool =
                    start("listen; settle && quiesce && touch frozen; end 70 'no' '{}'", server);
            server.busy();
            appMaster.order(CloneOrder.offer(1, CLONE, NONCE, StandInAppMaster.PATIENT));
            appMaster.answer(CloneAnswer.Kind.OFFERED);
            assertThat(appMaster.answer().reason())
                    .contains("my connection", "doesn't want to be cloned", "busy");
            assertThat(tool.has("frozen")).isFalse();
            awaitRecords(200);
            assertCompletes();
        }
    }

    /** A map with a connection of its own, which it needs for every few records. */
    private ScriptedTool start(String steps, ConnectionServer server) throws IOException {
        ScriptedTool tool = new ScriptedTool(temp.resolve("tool"), steps);
        JobConf job = TaskJvm.job();
        job.set(CloneKeys.TOOL, tool.path());
        job.setInt(OwnConnection.PORT, server.port());
        start(job);
        awaitRecords(200);
        return tool;
    }

    /** Starts the map with a tool of these steps, and orders an offer once it reads records. */
    private ScriptedTool offered(String steps) throws IOException {
        return offered(steps, StandInAppMaster.PATIENT);
    }

    private ScriptedTool offered(String steps, CloneLimits limits) throws IOException {
        return offered(withAThread(), steps, limits);
    }

    private static JobConf withAThread() throws IOException {
        JobConf job = TaskJvm.job();
        job.set(CloneKeys.MAX_FREEZE, "9s");
        job.set(CountedInput.BESIDES, "thread");
        return job;
    }

    /** Asked for the freeze while a call of its own is under way, until that is let go. */
    private ScriptedTool quiescingWhileACallIsHeld(JobConf job) throws Exception {
        ScriptedTool tool =
                offered(
                        job,
                        """
                        listen
                        settle && touch settled
                        await held
                        quiesce && touch frozen
                        resume aborted
                        end 70 'the hook said no' '{}'
                        """,
                        StandInAppMaster.PATIENT);
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        await().atMost(PATIENCE).until(() -> tool.has("settled"));
        appMaster.statusUpdates.hold();
        await().atMost(PATIENCE).until(appMaster.statusUpdates::isWaiting);
        tool.make("held");
        return tool;
    }

    private ScriptedTool offered(JobConf job, String steps, CloneLimits limits) throws IOException {
        ScriptedTool tool = new ScriptedTool(temp.resolve("tool"), steps);
        job.set(CloneKeys.TOOL, tool.path());
        start(job);
        awaitRecords(200);
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, limits));
        return tool;
    }

    /** Its clone has; of a tool that notes "frozen" and waits for "thaw". */
    private void assertStandsStillUntilItHasLeft(ScriptedTool tool) throws Exception {
        await().atMost(PATIENCE).until(() -> tool.has("frozen"));
        assertStandsStill();
        tool.make("thaw");
        appMaster.answer(CloneAnswer.Kind.SENT);
        assertCompletes();
    }

    private void assertStandsStill() throws IOException {
        long position = jvm.position();
        long updates = appMaster.updatesOf(TaskJvm.ATTEMPT);
        await().atMost(PATIENCE)
                .during(Duration.ofMillis(200))
                .until(
                        () ->
                                jvm.position() == position
                                        && appMaster.updatesOf(TaskJvm.ATTEMPT) == updates);
    }

    private void awaitLog(String text) {
        await().atMost(PATIENCE).until(() -> jvm.log().contains(text));
    }

    private void awaitUpdates() {
        long before = appMaster.updatesOf(TaskJvm.ATTEMPT);
        await().atMost(PATIENCE).until(() -> appMaster.updatesOf(TaskJvm.ATTEMPT) > before);
    }

    private void start(JobConf job) throws IOException {
        jvm.start(appMaster, job, List.of());
    }

    private void awaitRecords(long more) throws IOException {
        long from = jvm.position();
        await().atMost(PATIENCE).until(() -> !jvm.isAlive() || jvm.position() >= from + more);
        assertThat(jvm.isAlive()).as(jvm.log()).isTrue();
    }

    /** The map ends as if nothing had been, with every record once. */
    private void assertCompletes() throws Exception {
        jvm.endInput();
        assertThat(jvm.exitCode()).as(jvm.log()).isZero();
        assertThat(appMaster.errors).isEmpty();
        assertThat(appMaster.done).containsExactly(TaskJvm.ATTEMPT);
        SortedMap<Long, String> records = MapOutput.read(jvm.local, TaskJvm.ATTEMPT);
        assertThat(records).hasSize((int) jvm.position());
        assertThat(records.firstKey()).isEqualTo(1);
        assertThat(records.values()).containsOnly(TaskJvm.ATTEMPT.toString());
    }
}
